import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type Scope, withTimeout } from './test-cloud.ts'

const DEADLINE_MS = 20_000

/** A port of this machine that nobody uses. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (typeof address !== 'object' || address === null) throw new Error('no port was given')
  return address.port
}

/** Which app of the repository to run, and as whom. */
export interface SdkAppOptions {
  /** Folder under `apps/`, or the program itself. */
  readonly app: string | URL
  readonly packageName: string
  readonly apiKey: string
  readonly port: number
  readonly env?: Readonly<Record<string, string>>
}

/** An app on the real SDK, in a process of its own. */
export class SdkApp {
  /** What it said, a line each, colours removed. */
  readonly lines: string[] = []
  /** Those of them that it wrote to its error output. */
  readonly errors: string[] = []
  readonly #process: ChildProcess
  readonly #exited: Promise<unknown>
  #heard: (() => void)[] = []

  private constructor(process: ChildProcess) {
    this.#process = process
    this.#exited = once(process, 'exit')
    for (const stream of [process.stdout, process.stderr]) {
      if (!stream) continue
      createInterface({ input: stream }).on('line', (line) => {
        // biome-ignore lint/suspicious/noControlCharactersInRegex: terminal colours are control characters
        const plain = line.replace(/\u001b\[[0-9;]*m/g, '')
        this.lines.push(plain)
        if (stream === process.stderr) this.errors.push(plain)
        for (const heard of this.#heard.splice(0)) heard()
      })
    }
  }

  /** Starts the app and waits until its server answers. It ends with the scope. */
  static async start(scope: Scope, { app, packageName, apiKey, port, env }: SdkAppOptions): Promise<SdkApp> {
    const main =
      typeof app === 'string' ? new URL(`../../../../apps/${app}/src/main.ts`, import.meta.url) : app
    const script = fileURLToPath(main)
    const child = spawn(process.execPath, [script], {
      cwd: tmpdir(),
      env: {
        PATH: process.env.PATH,
        PORT: String(port),
        PACKAGE_NAME: packageName,
        API_KEY: apiKey,
        // The kit's own log in plain lines.
        NODE_ENV: 'production',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const started = new SdkApp(child)
    scope.after(() => started.kill())
    await withTimeout(
      DEADLINE_MS,
      started.#serving(port),
      () => `the app ${app} did not serve: ${started.lines.join('\n')}`,
    )
    return started
  }

  /** Waits for a line, one already said included. */
  async waitForLine(pattern: RegExp, after = 0): Promise<string> {
    const found = async () => {
      for (;;) {
        const line = this.lines.slice(after).find((one) => pattern.test(one))
        if (line !== undefined) return line
        await new Promise<void>((resolve) => this.#heard.push(resolve))
      }
    }
    return withTimeout(
      DEADLINE_MS,
      found(),
      () => `no line like ${pattern} came; there were:\n${this.lines.join('\n')}\n`,
    )
  }

  /** Asks it to end, and waits until it has, and all that it said was heard. */
  async end(): Promise<void> {
    const closed = once(this.#process, 'close')
    this.#process.kill('SIGTERM')
    await withTimeout(DEADLINE_MS, closed, 'the app did not end')
  }

  /** Ends it as a crash would. */
  async kill(): Promise<void> {
    if (this.#process.exitCode === null && this.#process.signalCode === null) this.#process.kill('SIGKILL')
    await this.#exited
  }

  async #serving(port: number): Promise<void> {
    for (;;) {
      if (this.#process.exitCode !== null) throw new Error(`the app ended: ${this.lines.join('\n')}`)
      const response = await fetch(`http://127.0.0.1:${port}/health`).catch(() => undefined)
      if (response?.ok) return
      // Either it says something next, or it is polled again after a moment.
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
  }
}
