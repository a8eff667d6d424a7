import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findFreePort } from '@glasses-cloud/cloud/free-port'
import { against, type Benchmark, type Figure, measureInTurn } from '../figure.ts'

const ROUNDS = 5
const POLL_INTERVAL_MS = 5
const MAIN = fileURLToPath(new URL('../../../scripts/start.mjs', import.meta.url))
const BARE_SERVER = `require('node:http').createServer((_, response) => response.end('ok')).listen(process.env.PORT, '127.0.0.1')`

/** Time from the start of the process to the first response, with an empty and with an existing data folder. */
export const start: Benchmark = {
  title: 'time from process start to /readyz',
  async run() {
    const existing = mkdtempSync(join(tmpdir(), 'glasses-cloud-bench-'))
    // Makes the bundle, and fills the compile cache when it ends.
    await startupMs([MAIN], '/readyz', existing, 'SIGTERM')
    const inEmptyFolder = async (args: string[], path: string) => {
      const empty = mkdtempSync(join(tmpdir(), 'glasses-cloud-bench-'))
      const ms = await startupMs(args, path, empty)
      rmSync(empty, { recursive: true, force: true })
      return ms
    }
    const [bare, empty, repeated] = await measureInTurn(
      ROUNDS,
      [
        () => inEmptyFolder(['-e', BARE_SERVER], '/'),
        () => inEmptyFolder([MAIN], '/readyz'),
        () => startupMs([MAIN], '/readyz', existing),
      ],
      0,
    )
    rmSync(existing, { recursive: true, force: true })
    const ratio = (name: string, ms: number): Figure => ({
      name,
      value: ms / bare,
      unit: '× bare node:http',
      detail: against(ms, bare, 'ms'),
      aim: { atMost: 2.5 },
    })
    return [
      ratio('empty data folder', empty),
      ratio('existing data folder', repeated),
      { name: 'time, empty data folder', value: empty, unit: 'ms', aim: { atMost: 600 } },
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
