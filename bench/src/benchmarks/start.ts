import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findFreePort } from '@glasses-cloud/cloud/free-port'
import type { Benchmark } from '../benchmark.ts'
import { formatNumber } from '../figure.ts'
import { median } from '../statistics.ts'

const ROUNDS = 5
const POLL_INTERVAL_MS = 5
const MAIN = fileURLToPath(new URL('../../../scripts/start.mjs', import.meta.url))
const BARE_SERVER = `require('node:http').createServer((_, response) => response.end('ok')).listen(process.env.PORT, '127.0.0.1')`

/** Time from the start of the process to the first response, with an empty data folder. */
export const start: Benchmark = {
  title: 'time from process start to /readyz, empty data folder',
  async run() {
    const cloudMs: number[] = []
    const bareMs: number[] = []
    // Makes the bundle, and fills the compile cache when it ends.
    await startupMs([MAIN], '/readyz', 'SIGTERM')
    for (let round = 0; round < ROUNDS; round += 1) {
      bareMs.push(await startupMs(['-e', BARE_SERVER], '/'))
      cloudMs.push(await startupMs([MAIN], '/readyz'))
    }
    const [cloud, bare] = [median(cloudMs), median(bareMs)]
    const detail = `${formatNumber(cloud)} against ${formatNumber(bare)} ms`
    return [
      { name: 'ratio', value: cloud / bare, unit: '× bare node:http', detail, aim: { atMost: 2.5 } },
      { name: 'time', value: cloud, unit: 'ms', aim: { atMost: 600 } },
    ]
  },
}

async function startupMs(args: string[], path: string, signal: NodeJS.Signals = 'SIGKILL'): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'glasses-cloud-bench-'))
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
    rmSync(folder, { recursive: true, force: true })
  }
}

async function isReady(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  )
}
