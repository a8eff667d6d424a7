import { type ChildProcess, fork } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Command } from '../processes/commands.ts'

/** The monitor of the event loop samples with a timer, which must fire before and after the load. */
const LOOP_SETTLE_MS = 30

/** The flags of V8 with which `npm start` runs the cloud. */
export const START_FLAGS: readonly string[] =
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')
    .match(/"start": "(.*)"/)?.[1]
    ?.match(/--\S+=\S+/g) ?? []

/** A server under test in a child process, so that the cost of the load is not measured. */
export class ServerProcess {
  readonly port: number
  readonly #child: ChildProcess
  readonly #folder: string
  #queue: Promise<unknown> = Promise.resolve()

  private constructor(child: ChildProcess, port: number, folder: string) {
    this.#child = child
    this.port = port
    this.#folder = folder
  }

  /**
   * Starts `processes/<name>-server.ts`; resolves when it listens.
   * @param env additional settings
   */
  static async start(
    name: 'bare' | 'cloud',
    env: Readonly<Record<string, string>> = {},
  ): Promise<ServerProcess> {
    const folder = mkdtempSync(join(tmpdir(), 'glasses-cloud-bench-'))
    const child = fork(fileURLToPath(new URL(`../processes/${name}-server.ts`, import.meta.url)), {
      execArgv: ['--expose-gc', ...(name === 'cloud' ? START_FLAGS : [])],
      env: {
        PATH: process.env.PATH,
        PORT: '0',
        DATA_DIR: folder,
        LOG_LEVEL: 'silent',
        AUTH_SECRET,
        REST_LIMIT_PER_MINUTE: '1000000',
        APP_LIMIT_PER_MINUTE: '0',
        STREAM_PROVIDER: 'none',
        SAMPLE_APP: 'off',
        ...env,
      },
    })
    const [{ port }] = (await once(child, 'message')) as [{ port: number }]
    return new ServerProcess(child, port, folder)
  }

  get pid(): number {
    return Number(this.#child.pid)
  }

  /** Runs a command in the server, one at a time. */
  run<Result = number>(command: Command): Promise<Result> {
    const result = this.#queue.then(async () => {
      const responded = once(this.#child, 'message')
      this.#child.send(command)
      return ((await responded)[0] as { result: Result }).result
    })
    this.#queue = result.catch(() => {})
    return result
  }

  /** Processor time of the server while `load` runs, in µs. */
  async cpuMicros(load: () => Promise<unknown>): Promise<number> {
    const before = await this.run({ command: 'cpu' })
    await load()
    return (await this.run({ command: 'cpu' })) - before
  }

  /** Longest delay of the server's event loop while `load` runs, in ms. */
  async longestBlockMs(load: () => Promise<unknown>): Promise<number> {
    await this.run({ command: 'watch-loop' })
    await delay(LOOP_SETTLE_MS)
    await load()
    await delay(LOOP_SETTLE_MS)
    return this.run({ command: 'longest-block' })
  }

  /** Kills the server and deletes its data. */
  async stop(): Promise<void> {
    const exited = once(this.#child, 'exit')
    this.#child.kill('SIGKILL')
    await exited
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

/** Secret of the clouds under test, with which the benchmarks sign tokens for their users. */
export const AUTH_SECRET = 'benchmarks-sign-their-own-tokens-with-this'

const LIFE_SECONDS = 86_400

/** Signs a token for a user; the cloud creates unknown users when it first sees their token. */
export function signToken(email: string): string {
  const now = Math.floor(Date.now() / 1_000)
  const body = [
    { alg: 'HS256', typ: 'JWT' },
    { sub: email, email, iat: now - 1, exp: now + LIFE_SECONDS },
  ]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  return `${body}.${createHmac('sha256', AUTH_SECRET).update(body).digest('base64url')}`
}
