import { EventEmitter } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findFreePort } from '@glasses-cloud/cloud/free-port'
import { systemClock } from '../clock.ts'
import { waitUntil } from '../messages/message-history.ts'
import type { PhoneApi } from '../phone-api.ts'
import { Glasses, type GlassesOptions } from '../simulated/glasses.ts'
import { ChildProgram, type ChildProgramOptions } from './child-program.ts'
import type { DemoScreen } from './demo-screen.ts'
import { speakAloud } from './tour-user.ts'

const START_TIMEOUT_MS = 20_000
const POLL_INTERVAL_MS = 50

/**
 * Polls `url` until it returns a success status.
 * @throws {Error} if the program exits first, or after 20 s
 */
export async function waitUntilReady(program: ChildProgram, url: string): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS
  let hasExited = false
  void program.exited.then(() => {
    hasExited = true
  })
  while (Date.now() < deadline) {
    if (hasExited) throw program.failure()
    if (await isReady(url)) return
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS))
  }
  throw new Error(`${url} did not respond within ${START_TIMEOUT_MS / 1_000} seconds`)
}

async function isReady(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(1_000) })
    await response.body?.cancel()
    return response.ok
  } catch {
    return false
  }
}

const PROJECT_ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
const LOG_LINE_TIMEOUT_MS = 60_000
const MAX_LOG_LINES = 200

type ProgramOptions = Omit<ChildProgramOptions, 'cwd'>

/** The cloud of a demo. */
export interface DemoCloudOptions {
  /** Additional environment variables. */
  readonly cloudEnv?: Readonly<Record<string, string>>
  /** Whether it recognizes speech with the local recognizer, once the scenario starts that. */
  readonly hasRecognizer?: boolean
}

/** A user with connected glasses and a phone. */
export interface DemoUser {
  readonly glasses: Glasses
  readonly phone: PhoneApi
}

/**
 * The parts of a demo: a cloud with a temporary data folder, apps in separate processes, and users. `close` releases
 * everything that was created.
 */
export class DemoEnvironment {
  readonly screen: DemoScreen
  /** Rejects if a program exits before `close`. */
  readonly unexpectedExit: Promise<never>
  readonly #rejectUnexpectedExit: (error: Error) => void
  readonly #folder: string
  readonly #cloudEnv: Readonly<Record<string, string>>
  readonly #url: string
  readonly #cleanups: (() => Promise<void>)[] = []
  readonly #logEvents = new EventEmitter<{ line: [] }>()
  #logLines: string[] = []
  #closing: Promise<void> | undefined
  #recognizerPort: number | undefined

  private constructor(
    screen: DemoScreen,
    folder: string,
    port: number,
    env: Readonly<Record<string, string>>,
  ) {
    this.screen = screen
    const { promise, reject } = Promise.withResolvers<never>()
    this.unexpectedExit = promise
    this.#rejectUnexpectedExit = reject
    // Prevents an unhandled rejection while no scenario awaits the promise.
    promise.catch(() => {})
    this.#folder = folder
    this.#url = `http://127.0.0.1:${port}`
    this.#cloudEnv = {
      HOST: '127.0.0.1',
      PORT: String(port),
      PUBLIC_URL: this.#url,
      DATA_DIR: join(folder, 'data'),
      LOG_LEVEL: 'warn',
      STREAM_PROVIDER: 'none',
      SAMPLE_APP: 'off',
      ...env,
    }
  }

  /**
   * Starts a cloud.
   * @param scenario determines its additional settings
   */
  static async create(
    screen: DemoScreen,
    { cloudEnv, hasRecognizer = false }: DemoCloudOptions = {},
  ): Promise<DemoEnvironment> {
    const folder = await mkdtemp(join(tmpdir(), 'glasses-cloud-demo-'))
    const recognizerPort = hasRecognizer ? await findFreePort() : undefined
    const recognition: Record<string, string> =
      recognizerPort === undefined
        ? {}
        : { STT_PROVIDERS: 'wyoming', WYOMING_URL: `tcp://127.0.0.1:${recognizerPort}` }
    const demo = new DemoEnvironment(screen, folder, await findFreePort(), { ...recognition, ...cloudEnv })
    demo.#recognizerPort = recognizerPort
    demo.#cleanups.push(() => rm(folder, { recursive: true, force: true }))
    try {
      const cloud = demo.#startService({
        name: 'The cloud',
        script: join(PROJECT_ROOT, 'packages/cloud/src/main.ts'),
        env: demo.#cloudEnv,
      })
      await waitUntilReady(cloud, `${demo.#url}/readyz`)
      return demo
    } catch (error) {
      await demo.close()
      throw error
    }
  }

  /** Releases everything in reverse order. Later calls wait for the first. */
  close(): Promise<void> {
    this.#closing ??= this.#release()
    return this.#closing
  }

  async #release(): Promise<void> {
    for (let cleanUp = this.#cleanups.pop(); cleanUp; cleanUp = this.#cleanups.pop()) await cleanUp()
  }

  /** Runs a command of the cloud's command line and returns its output. */
  async runCli(...args: string[]): Promise<string> {
    const command = this.#spawn({
      name: `The command "${args[0]}"`,
      script: join(PROJECT_ROOT, 'packages/cloud/src/cli.ts'),
      args,
      env: this.#cloudEnv,
    })
    return (await command.output()).trim()
  }

  /**
   * Registers and starts a sample app.
   * @param name folder of the app in `apps/`
   * @returns its package name
   */
  async startApp(name: string): Promise<string> {
    const port = await findFreePort()
    const url = `http://127.0.0.1:${port}`
    const manifest: Record<string, unknown> = JSON.parse(
      await readFile(join(PROJECT_ROOT, 'apps', name, 'manifest.json'), 'utf8'),
    )
    const manifestPath = join(this.#folder, `${name}.json`)
    await writeFile(manifestPath, JSON.stringify(withPublicUrl(manifest, url)))
    const { packageName, apiKey } = parseRegistration(await this.runCli('app', 'register', manifestPath))
    const app = this.#startService({
      name: `The app ${name}`,
      script: join(PROJECT_ROOT, 'apps', name, 'src/main.ts'),
      env: { PORT: String(port), PACKAGE_NAME: packageName, API_KEY: apiKey, NODE_ENV: 'production' },
      // Log lines of the app start with its name; all other output is the SDK's.
      onLine: (line) => line.startsWith(`${name}: `) && this.#addLogLine(line),
    })
    await waitUntilReady(app, `${url}/health`)
    return packageName
  }

  /** Speaks a sentence with the voice of this machine; undefined if it has none. @param index unique */
  speakAloud(sentence: string, index: number): Promise<Buffer | undefined> {
    return speakAloud(sentence, join(this.#folder, `sentence-${index}.wav`))
  }

  /** Starts the local recognizer of a scenario that has one. @returns false if it is not installed */
  async startRecognizer(): Promise<boolean> {
    const { promise: ready, resolve } = Promise.withResolvers<boolean>()
    const program = this.#spawn({
      name: 'The recognizer',
      script: join(PROJECT_ROOT, 'packages/cloud/src/cli.ts'),
      args: ['recognizer', '--port', String(this.#recognizerPort)],
      env: { ...this.#cloudEnv, PATH: process.env.PATH ?? '' },
      onLine: (line) => line.startsWith('The recognizer is ready') && resolve(true),
    })
    return Promise.race([ready, program.exited.then(() => false)])
  }

  /** Waits for a log line of an app, including one that was already written. */
  async waitForLogLine(pattern: RegExp): Promise<string> {
    return await waitUntil({
      emitter: this.#logEvents,
      event: 'line',
      check: () => this.#logLines.findLast((line) => pattern.test(line)),
      timeoutMs: LOG_LINE_TIMEOUT_MS,
      clock: systemClock,
      describe: () => `a log line ${pattern}; the last line was: ${this.#logLines.at(-1) ?? 'none'}`,
    })
  }

  /** Connects glasses for a user and shows their display on the screen. */
  async connectMainUser(email: string, options: Partial<GlassesOptions> = {}): Promise<DemoUser> {
    const user = await this.connectSecondUser(email, options)
    user.glasses.on('displayChange', (display) => this.screen.showDisplay(display.lines))
    return user
  }

  /** Connects glasses for a user without showing their display. */
  async connectSecondUser(email: string, options: Partial<GlassesOptions> = {}): Promise<DemoUser> {
    const token = await this.runCli('token', email)
    const glasses = new Glasses({ url: this.#url, token, ...options })
    this.#cleanups.push(() => glasses.disconnect())
    await glasses.connect()
    return { glasses, phone: glasses.api }
  }

  #addLogLine(line: string): void {
    this.#logLines = [...this.#logLines, line].slice(-MAX_LOG_LINES)
    this.screen.log(line)
    this.#logEvents.emit('line')
  }

  /** Starts a program that runs until `close`. */
  #startService(options: ProgramOptions): ChildProgram {
    const program = this.#spawn(options)
    void program.exited.then(() => this.#closing || this.#rejectUnexpectedExit(program.failure()))
    return program
  }

  #spawn(options: ProgramOptions): ChildProgram {
    if (this.#closing) throw new Error('The demo is closing')
    const program = new ChildProgram({ ...options, cwd: this.#folder })
    this.#cleanups.push(() => program.stop())
    return program
  }
}

/** Copies a manifest with another `publicUrl`, and the `webviewURL` below it. */
function withPublicUrl(manifest: Record<string, unknown>, publicUrl: string): Record<string, unknown> {
  const { webviewURL, publicUrl: previousUrl } = manifest
  if (typeof webviewURL !== 'string' || typeof previousUrl !== 'string') return { ...manifest, publicUrl }
  return { ...manifest, publicUrl, webviewURL: webviewURL.replace(previousUrl, publicUrl) }
}

/** Parses the output of `app register`. */
function parseRegistration(output: string): { packageName: string; apiKey: string } {
  const parsed: unknown = JSON.parse(output)
  if (typeof parsed === 'object' && parsed !== null && 'packageName' in parsed && 'apiKey' in parsed) {
    return { packageName: String(parsed.packageName), apiKey: String(parsed.apiKey) }
  }
  throw new Error('The command "app register" returned no API key')
}
