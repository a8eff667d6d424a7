import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { findFreePort } from '../../src/http/free-port.ts'
import { inheritedEnv } from './inherited-env.ts'
import type { Scope } from './scope.ts'
import type { TestCloud, TestManifest } from './test-cloud.ts'
import { withTimeout } from './wait-for.ts'

const TIMEOUT_MS = 40_000

/** Which app to run and how to register it. */
export interface SdkAppOptions {
  /** A folder under `apps/`, or the URL of a program. */
  readonly app: string | URL
  readonly packageName: string
  readonly apiKey: string
  readonly port: number
  readonly env?: Readonly<Record<string, string>>
}

/** An app on the unmodified SDK in a child process. */
export class SdkApp {
  /** The lines it printed, without terminal colors. */
  readonly lines: string[] = []
  /** The lines it printed to its error output. */
  readonly errors: string[] = []
  readonly #process: ChildProcess
  readonly #exited: Promise<unknown>
  #notify: (() => void)[] = []

  private constructor(process: ChildProcess) {
    this.#process = process
    this.#exited = once(process, 'exit')
    for (const stream of [process.stdout, process.stderr]) {
      if (!stream) continue
      createInterface({ input: stream }).on('line', (line) => {
        // biome-ignore lint/suspicious/noControlCharactersInRegex: terminal colors are control characters
        const plain = line.replace(/\u001b\[[0-9;]*m/g, '')
        this.lines.push(plain)
        if (stream === process.stderr) this.errors.push(plain)
        for (const notify of this.#notify.splice(0)) notify()
      })
    }
  }

  /** Starts the app and waits until its server responds; the scope kills it. */
  static async start(scope: Scope, { app, packageName, apiKey, port, env }: SdkAppOptions): Promise<SdkApp> {
    const main =
      typeof app === 'string' ? new URL(`../../../../apps/${app}/src/main.ts`, import.meta.url) : app
    const script = fileURLToPath(main)
    const child = spawn(process.execPath, [script], {
      cwd: tmpdir(),
      env: {
        ...inheritedEnv(),
        PORT: String(port),
        PACKAGE_NAME: packageName,
        API_KEY: apiKey,
        // The SDK logs plain lines in production.
        NODE_ENV: 'production',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const started = new SdkApp(child)
    scope.after(() => started.kill())
    await withTimeout(
      TIMEOUT_MS,
      started.#serving(port),
      () => `the app ${app} did not serve: ${started.lines.join('\n')}`,
    )
    return started
  }

  /** Registers an app at a cloud with a free port, and starts it. @param app a folder under `apps/`, or the URL of a program */
  static async register(
    scope: Scope,
    cloud: Pick<TestCloud, 'registerApp'>,
    app: string | URL,
    manifest: TestManifest,
    env: Readonly<Record<string, string>> = {},
  ) {
    const port = await findFreePort()
    const publicUrl = `http://127.0.0.1:${port}`
    const { webviewURL, publicUrl: placeholder = '' } = manifest
    const { packageName, apiKey } = await cloud.registerApp({
      ...manifest,
      publicUrl,
      ...(webviewURL && { webviewURL: webviewURL.replace(placeholder, publicUrl) }),
    })
    return {
      packageName,
      apiKey,
      port,
      app: await SdkApp.start(scope, { app, packageName, apiKey, port, env }),
    }
  }

  /** Registers a sample app with its manifest, and starts it. */
  static async registerSample(
    scope: Scope,
    cloud: TestCloud,
    name: string,
    changes: Partial<TestManifest> = {},
    env: Readonly<Record<string, string>> = {},
  ) {
    const path = new URL(`../../../../apps/${name}/manifest.json`, import.meta.url)
    const manifest: TestManifest = JSON.parse(await readFile(path, 'utf8'))
    return SdkApp.register(scope, cloud, name, { ...manifest, ...changes }, env)
  }

  /** Waits for a line that matches, including those already printed from index `after` on. */
  async waitForLine(pattern: RegExp, after = 0): Promise<string> {
    const found = async () => {
      for (;;) {
        const line = this.lines.slice(after).find((one) => pattern.test(one))
        if (line !== undefined) return line
        await new Promise<void>((resolve) => this.#notify.push(resolve))
      }
    }
    return withTimeout(
      TIMEOUT_MS,
      found(),
      () => `no line matched ${pattern}; lines:\n${this.lines.join('\n')}\n`,
    )
  }

  /** Sends SIGTERM, and waits until the process has exited and all its output was read. */
  async end(): Promise<void> {
    const closed = once(this.#process, 'close')
    this.#process.kill('SIGTERM')
    await withTimeout(TIMEOUT_MS, closed, 'the app did not exit')
  }

  /** Kills the process as a crash would. */
  async kill(): Promise<void> {
    if (this.#process.exitCode === null && this.#process.signalCode === null) this.#process.kill('SIGKILL')
    await this.#exited
  }

  async #serving(port: number): Promise<void> {
    for (;;) {
      if (this.#process.exitCode !== null) throw new Error(`the app exited: ${this.lines.join('\n')}`)
      const response = await fetch(`http://127.0.0.1:${port}/health`).catch(() => undefined)
      if (response?.ok) return
      // Polled, because the SDK prints no line when its server is ready.
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
  }
}
