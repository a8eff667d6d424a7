import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { findFreePort } from '@glasses-cloud/cloud/free-port'
import { AUTH_SECRET } from '../support/tokens.ts'

const CLOUD_FOLDER = new URL('../../../packages/cloud/src/', import.meta.url)
const START_TIMEOUT_MS = 120_000
/** Numeric level of `error` in the log; `fatal` is higher. */
const ERROR_LEVEL = 50
const MAX_ERRORS = 50

/** The unmodified cloud in a child process, with its own data folder. */
export class CloudProcess {
  readonly url: string
  /** Log lines of level error and above, and output that is not a log line; at most 50. */
  readonly errors: string[] = []
  readonly #port: number
  readonly #folder: string
  #child: ChildProcess | undefined
  #isStopping = false

  private constructor(port: number, folder: string) {
    this.#port = port
    this.#folder = folder
    this.url = `http://127.0.0.1:${port}`
  }

  /** Starts a cloud with an empty data folder; resolves when it is ready. */
  static async start(): Promise<CloudProcess> {
    const folder = await mkdtemp(join(tmpdir(), 'glasses-cloud-soak-'))
    const cloud = new CloudProcess(await findFreePort(), folder)
    await cloud.#spawn()
    return cloud
  }

  /** Kills the cloud with SIGKILL and starts it again with the same data. */
  async killAndRestart(): Promise<void> {
    await this.#kill()
    await this.#spawn()
  }

  /** Kills the cloud and deletes its data. */
  async stop(): Promise<void> {
    await this.#kill()
    await rm(this.#folder, { recursive: true, force: true })
  }

  /** Resident memory in bytes. @throws Error if the cloud does not report it */
  async residentBytes(): Promise<number> {
    const metrics = await (await fetch(`${this.url}/metrics`)).text()
    const bytes = Number(/^process_resident_memory_bytes (\S+)$/m.exec(metrics)?.[1])
    if (!(bytes > 0)) throw new Error('The cloud does not report its resident memory')
    return bytes
  }

  /** Registers an app and returns its API key. */
  async registerApp(manifest: Record<string, unknown>): Promise<string> {
    const path = join(this.#folder, 'manifest.json')
    await writeFile(path, JSON.stringify(manifest))
    const cli = fileURLToPath(new URL('cli.ts', CLOUD_FOLDER))
    const { stdout } = await promisify(execFile)(process.execPath, [cli, 'app', 'register', path], {
      env: this.#env,
    })
    return (JSON.parse(stdout) as { apiKey: string }).apiKey
  }

  get #env(): NodeJS.ProcessEnv {
    return {
      PATH: process.env.PATH,
      PORT: String(this.#port),
      PUBLIC_URL: this.url,
      DATA_DIR: join(this.#folder, 'data'),
      STREAM_PROVIDER: 'none',
      SAMPLE_APP: 'off',
      LOG_LEVEL: 'warn',
      AUTH_SECRET,
      REST_LIMIT_PER_MINUTE: '1000000',
      APP_LIMIT_PER_MINUTE: '0',
    }
  }

  async #spawn(): Promise<void> {
    const main = fileURLToPath(new URL('main.ts', CLOUD_FOLDER))
    const child = spawn(process.execPath, [main], { env: this.#env, stdio: ['ignore', 'ignore', 'pipe'] })
    this.#child = child
    this.#isStopping = false
    createInterface({ input: child.stderr }).on('line', (line) => this.#checkLine(line))
    child.once('exit', (code, signal) => {
      if (!this.#isStopping) this.#addError(`The cloud exited with ${signal ?? code}`)
    })
    const deadline = Date.now() + START_TIMEOUT_MS
    while (!(await this.#isReady())) {
      if (child.exitCode !== null || Date.now() > deadline) {
        throw new Error(`The cloud did not start: ${this.errors.join('; ')}`)
      }
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  async #kill(): Promise<void> {
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    this.#isStopping = true
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }

  #checkLine(line: string): void {
    try {
      const { level } = JSON.parse(line) as { level?: unknown }
      if (typeof level === 'number' && level < ERROR_LEVEL) return
    } catch {
      // Not a log line: a warning of Node.js or a stack trace.
    }
    this.#addError(line)
  }

  #addError(error: string): void {
    if (this.errors.length < MAX_ERRORS) this.errors.push(error)
  }

  async #isReady(): Promise<boolean> {
    try {
      const response = await fetch(`${this.url}/readyz`)
      await response.body?.cancel()
      return response.ok
    } catch {
      return false
    }
  }
}
