import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import type { Release } from '@glasses-cloud/cloud/test/next-version'
import { START_FLAGS } from '../support/server-process.ts'

const START_TIMEOUT_MS = 120_000
const STOP_TIMEOUT_MS = 120_000
const METRICS_TIMEOUT_MS = 10_000
/** Numeric level of `error` in the log; `fatal` is higher. */
const ERROR_LEVEL = 50

/** One node of the cloud under test: a process that is started, killed, frozen and replaced by another version. */
export class CloudNode {
  readonly name: string
  readonly url: string
  readonly #env: NodeJS.ProcessEnv
  readonly #onError: (line: string) => void
  #child: ChildProcess | undefined
  #isStopping = false
  /** How often the process was started. */
  starts = 0

  /**
   * @param env settings of the node, including `PORT`
   * @param onError receives log lines of level error and above, and output that is not a log line
   */
  constructor(name: string, env: NodeJS.ProcessEnv, onError: (line: string) => void) {
    this.name = name
    this.url = `http://127.0.0.1:${env.PORT}`
    this.#env = env
    this.#onError = onError
  }

  get isRunning(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null
  }

  /** Starts a version; resolves when it is ready. @throws Error if it is not in two minutes */
  async start({ main }: Release): Promise<void> {
    const child = spawn(process.execPath, [...START_FLAGS, main], {
      // Outside the repository, so that its .env is not read.
      cwd: tmpdir(),
      env: this.#env,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    this.#child = child
    this.#isStopping = false
    this.starts += 1
    createInterface({ input: child.stderr }).on('line', (line) => this.#checkLine(line))
    child.once('exit', (code, signal) => {
      if (!this.#isStopping) this.#onError(`The process exited with ${signal ?? code}`)
    })
    const deadline = Date.now() + START_TIMEOUT_MS
    while (!(await this.#isReady())) {
      if (!this.isRunning || Date.now() > deadline) throw new Error(`${this.name} did not start`)
      await delay(50)
    }
  }

  /** Kills the process as a power failure would. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL')
  }

  /** Stops the process as a supervisor does. @throws Error if it does not exit in two minutes or fails */
  async stop(): Promise<void> {
    const child = this.#child
    await this.#end('SIGTERM')
    if (child?.exitCode !== 0)
      throw new Error(`${this.name} exited with ${child?.signalCode ?? child?.exitCode}`)
  }

  /** Suspends the process for a time, as a virtual machine that is moved. */
  async freeze(ms: number): Promise<void> {
    this.#child?.kill('SIGSTOP')
    await delay(ms)
    this.#child?.kill('SIGCONT')
  }

  /** Reads its metrics without labels; `undefined` while it does not answer. */
  async metrics(): Promise<ReadonlyMap<string, number> | undefined> {
    try {
      const signal = AbortSignal.timeout(METRICS_TIMEOUT_MS)
      const text = await (await fetch(`${this.url}/metrics`, { signal })).text()
      const lines = text.matchAll(/^([a-z_]+)(?:\{node="[^"]*"\})? (\S+)$/gm)
      return new Map([...lines].map(([, name, value]) => [String(name), Number(value)]))
    } catch {
      return undefined
    }
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child
    if (!child || !this.isRunning) return
    this.#isStopping = true
    const exited = once(child, 'exit')
    child.kill(signal)
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
    await exited
    clearTimeout(timer)
  }

  #checkLine(line: string): void {
    try {
      const { level } = JSON.parse(line) as { level?: unknown }
      if (typeof level === 'number' && level < ERROR_LEVEL) return
    } catch {
      // Not a log line: a warning of Node.js or a stack trace.
    }
    this.#onError(line)
  }

  async #isReady(): Promise<boolean> {
    try {
      const response = await fetch(`${this.url}/readyz`, { signal: AbortSignal.timeout(METRICS_TIMEOUT_MS) })
      await response.body?.cancel()
      return response.ok
    } catch {
      return false
    }
  }
}
