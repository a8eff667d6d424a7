import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findFreePort } from '@glasses-cloud/cloud/free-port'
import { type Benchmark, type Figure, formatNumber, median } from '../figure.ts'

const ROUNDS = 5
const POLL_INTERVAL_MS = 5
const MAIN = fileURLToPath(new URL('../../../scripts/start.mjs', import.meta.url))
const BARE_SERVER = `require('node:http').createServer((_, response) => response.end('ok')).listen(process.env.PORT, '127.0.0.1')`

/** Time from the start of the process to the first response, with an empty and with an existing data folder. */
export const start: Benchmark = {
  title: 'time from process start to /readyz',
  async run() {
    const bareMs: number[] = []
    const emptyMs: number[] = []
    const existingMs: number[] = []
    const existing = mkdtempSync(join(tmpdir(), 'glasses-cloud-bench-'))
    // Makes the bundle, and fills the compile cache when it ends.
    await startupMs([MAIN], '/readyz', existing, 'SIGTERM')
    for (let round = 0; round < ROUNDS; round += 1) {
      const empty = mkdtempSync(join(tmpdir(), 'glasses-cloud-bench-'))
      bareMs.push(await startupMs(['-e', BARE_SERVER], '/', empty))
      emptyMs.push(await startupMs([MAIN], '/readyz', empty))
      existingMs.push(await startupMs([MAIN], '/readyz', existing))
      rmSync(empty, { recursive: true, force: true })
    }
    rmSync(existing, { recursive: true, force: true })
    const bare = median(bareMs)
    const ratio = (name: string, times: readonly number[]): Figure => ({
      name,
      value: median(times) / bare,
      unit: '× bare node:http',
      detail: `${formatNumber(median(times))} against ${formatNumber(bare)} ms`,
      aim: { atMost: 2.5 },
    })
    return [
      ratio('empty data folder', emptyMs),
      ratio('existing data folder', existingMs),
      { name: 'time, empty data folder', value: median(emptyMs), unit: 'ms', aim: { atMost: 600 } },
    ]
  },
}

async function startupMs(
  args: string[],
  path: string,
  folder: string,
  signal: NodeJS.Signals = 'SIGKILL',
): Promise<number> {
  const port = await findFreePort()
  const startedAt = performance.now()
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { PATH: process.env.PATH, PORT: String(port), DATA_DIR: folder, LOG_LEVEL: 'silent' },
    stdio: 'ignore',
  })
  const exited = once(child, 'exit')
  try {
    while (!(await isReady(`http://127.0.0.1:${port}${path}`))) {
      if (child.exitCode !== null) throw new Error(`The server exited with code ${child.exitCode}`)
      await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS))
    }
    return performance.now() - startedAt
  } finally {
    child.kill(signal)
    await exited
  }
}

async function isReady(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  )
}
