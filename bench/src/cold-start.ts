import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROUNDS = 5
const main = fileURLToPath(new URL('../../packages/cloud/src/main.ts', import.meta.url))
const bare = `require('node:http').createServer((_, answer) => answer.end('ok')).listen(process.env.PORT, '127.0.0.1')`

/** Milliseconds from the start of the process to the first good answer, on an empty data folder. Aim: under 1000. */
export async function coldStart(): Promise<string> {
  const cloudMs: number[] = []
  const bareMs: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    bareMs.push(await timeToServe(['-e', bare], '/'))
    cloudMs.push(await timeToServe([main], '/readyz'))
  }
  const [cloud, base] = [median(cloudMs), median(bareMs)]
  return `cold start: ${cloud.toFixed(0)} ms to /readyz (bare node:http ${base.toFixed(0)} ms, ratio ${(cloud / base).toFixed(1)}; aim: under 1000 ms)`
}

async function timeToServe(args: string[], path: string): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'glasses-cloud-bench-'))
  const port = await freePort()
  const began = performance.now()
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { PATH: process.env.PATH, PORT: String(port), DATA_DIR: folder, LOG_LEVEL: 'silent' },
    stdio: 'ignore',
  })
  const gone = once(child, 'exit')
  try {
    while (!(await serves(`http://127.0.0.1:${port}${path}`))) {
      if (child.exitCode !== null) throw new Error('the server ended before it served')
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    return performance.now() - began
  } finally {
    child.kill('SIGKILL')
    await gone
    rmSync(folder, { recursive: true, force: true })
  }
}

async function serves(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  )
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address ? address.port : 0
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
