import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BlobStore, openBlobStore } from '@glasses-cloud/cloud/blobs'
import { readConfig } from '@glasses-cloud/cloud/config'
import { createLog } from '@glasses-cloud/cloud/log'
import { S3Server } from '@glasses-cloud/cloud/s3-server'
import { against, type Benchmark, measureInTurn } from '../figure.ts'

const MIB = 1024 * 1024
/** A photo; and one that is uploaded in parts. */
const SIZES = [MIB, 10 * MIB]
const ROUNDS = 12

/** Writing and reading files in S3, with a server on this machine, against the folder. */
export const blobs: Benchmark = {
  title: 'files in S3, against the folder',
  async run() {
    const folder = mkdtempSync(join(tmpdir(), 'glasses-cloud-bench-'))
    const server: ChildProcess = fork(import.meta.filename)
    const [settings] = (await once(server, 'message')) as [Record<string, string>]
    const log = createLog('silent')
    const options = { dataDir: folder, log }
    const inFolder = await openBlobStore({ ...options, s3: undefined })
    const { s3 } = readConfig({ DATA_DIR: folder, ...settings }).data
    const inS3 = await openBlobStore({ ...options, s3 })
    const figures = []
    for (const size of SIZES) {
      const content = Buffer.alloc(size, 7)
      for (const [name, action] of [
        ['write', write],
        ['read', read],
      ] as const) {
        const [base, value] = await measureInTurn(ROUNDS, [
          () => action(inFolder, content),
          () => action(inS3, content),
        ])
        figures.push({
          name: `${name} ${size / MIB} MiB`,
          value: value / base,
          unit: '× folder',
          detail: against(value, base, 'ms'),
        })
      }
    }
    await inFolder.close()
    await inS3.close()
    const exited = once(server, 'exit')
    server.kill('SIGKILL')
    await exited
    rmSync(folder, { recursive: true, force: true })
    return figures
  },
}

async function write(store: BlobStore, content: Buffer): Promise<number> {
  const startedAt = performance.now()
  await store.put('photo', chunksOf(content))
  return performance.now() - startedAt
}

async function read(store: BlobStore): Promise<number> {
  const startedAt = performance.now()
  const blob = await store.get('photo')
  if (!blob) throw new Error('The blob is missing')
  for await (const _ of blob.stream);
  return performance.now() - startedAt
}

/** Chunks as they arrive from a socket. */
async function* chunksOf(content: Buffer): AsyncIterable<Uint8Array> {
  for (let start = 0; start < content.length; start += 64 * 1024)
    yield content.subarray(start, start + 64 * 1024)
}

// An S3-compatible server in memory, in a process of its own; sends its settings to the benchmark.
if (import.meta.main) process.send?.((await S3Server.start()).env)
