import { EventEmitter } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { systemClock } from '../clock.ts'
import { Glasses } from '../glasses.ts'
import type { GlassesOptions } from '../glasses-options.ts'
import { waitUntil } from '../messages/wait-until.ts'
import { Phone } from '../phone.ts'
import { ChildProgram, type ChildProgramOptions } from './child-program.ts'
import type { DemoScreen } from './demo-screen.ts'
import { freePort, waitUntilReady } from './wait-until-ready.ts'

/** The root of the project. */
const root = fileURLToPath(new URL('../../../../', import.meta.url))

/** Apps are waited for no longer than this, in milliseconds. */
const LINE_TIMEOUT_MS = 60_000

/** So many lines of the apps are kept. */
const LINES_KEPT = 200

type ProgramOptions = Omit<ChildProgramOptions, 'cwd'>

/** Somebody with glasses and a phone. */
export interface DemoUser {
  readonly glasses: Glasses
  readonly phone: Phone
}

/**
 * Everything a scenario plays with: a cloud of its own in a folder of its own, apps as programs of their own, wearers.
 * What was set up is taken down again by `close`, whatever happened in between.
 */
export class DemoEnvironment {
  readonly screen: DemoScreen
  /** Rejects when a program ends that should still run. */
  readonly unexpectedExit: Promise<never>
  #rejectUnexpectedExit: (error: Error) => void = () => {}
  #closing = false
  readonly #folder: string
  readonly #env: Readonly<Record<string, string>>
  readonly #url: string
  readonly #cleanups: (() => Promise<void>)[] = []
  readonly #logEvents = new EventEmitter<{ line: [] }>()
  #lines: string[] = []

  private constructor(
    stage: DemoScreen,
    folder: string,
    port: number,
    settings: Readonly<Record<string, string>>,
  ) {
    this.screen = stage
    this.unexpectedExit = new Promise((_, reject) => {
      this.#rejectUnexpectedExit = reject
    })
    // Whoever plays listens; while nobody does, an accident is no crash.
    this.unexpectedExit.catch(() => {})
    this.#folder = folder
    this.#url = `http://127.0.0.1:${port}`
    this.#env = {
      HOST: '127.0.0.1',
      PORT: String(port),
      PUBLIC_URL: this.#url,
      DATA_DIR: join(folder, 'data'),
      LOG_LEVEL: 'warn',
      ...settings,
    }
  }

  /**
   * Opens the house: a running cloud.
   * @param settings environment variables of the cloud, over the usual ones
   */
  static async open(
    stage: DemoScreen,
    settings: Readonly<Record<string, string>> = {},
  ): Promise<DemoEnvironment> {
    const folder = await mkdtemp(join(tmpdir(), 'glasses-cloud-demo-'))
    const theatre = new DemoEnvironment(stage, folder, await freePort(), settings)
    theatre.#cleanups.push(() => rm(folder, { recursive: true, force: true }))
    try {
      const cloud = theatre.#runService({
        name: 'The cloud',
        script: join(root, 'packages/cloud/src/main.ts'),
        env: theatre.#env,
      })
      await waitUntilReady(cloud, `${theatre.#url}/readyz`)
      return theatre
    } catch (error) {
      await theatre.close()
      throw error
    }
  }

  /** Takes down what was set up, the last first. Safe to call twice. */
  async close(): Promise<void> {
    this.#closing = true
    for (let step = this.#cleanups.pop(); step; step = this.#cleanups.pop()) await step()
  }

  /** Runs a command of the cloud's command line and gives what it printed. */
  async runCli(...args: string[]): Promise<string> {
    const name = `The command "${args[0]}"`
    const command = this.#spawn({
      name,
      script: join(root, 'packages/cloud/src/cli.ts'),
      args,
      env: this.#env,
    })
    return (await command.result()).trim()
  }

  /**
   * Registers a sample app and runs it.
   * @param name folder of the app under `apps/`
   * @returns its package name
   */
  async startApp(name: string): Promise<string> {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const manifest: Record<string, unknown> = JSON.parse(
      await readFile(join(root, 'apps', name, 'manifest.json'), 'utf8'),
    )
    const own = join(this.#folder, `${name}.json`)
    await writeFile(own, JSON.stringify(withPublicUrl(manifest, url)))
    const { packageName, apiKey } = parseRegistration(await this.runCli('app', 'register', own))
    const app = this.#runService({
      name: `The app ${name}`,
      script: join(root, 'apps', name, 'src/main.ts'),
      env: { PORT: String(port), PACKAGE_NAME: packageName, API_KEY: apiKey, NODE_ENV: 'production' },
      // The SDK is talkative; an app's own lines begin with its name.
      onLine: (line) => line.startsWith(`${name}: `) && this.#addLogLine(line),
    })
    await waitUntilReady(app, `${url}/health`)
    return packageName
  }

  /** Waits for a line of an app's own log, one that came already included. */
  async waitForLogLine(pattern: RegExp): Promise<string> {
    return await waitUntil({
      emitter: this.#logEvents,
      event: 'line',
      check: () => this.#lines.findLast((line) => pattern.test(line)),
      timeoutMs: LINE_TIMEOUT_MS,
      clock: systemClock,
      describe: () => `an app to say ${pattern}; the last it said was: ${this.#lines.at(-1) ?? 'nothing'}`,
    })
  }

  /** Puts glasses on somebody's nose; their lens is the one on stage. */
  async connectMainUser(email: string, options: Partial<GlassesOptions> = {}): Promise<DemoUser> {
    const wearer = await this.connectSecondUser(email, options)
    wearer.glasses.on('lens', (lens) => this.screen.showDisplay(lens.lines))
    return wearer
  }

  /** Puts glasses on somebody whose lens is not on stage. */
  async connectSecondUser(email: string, options: Partial<GlassesOptions> = {}): Promise<DemoUser> {
    const token = await this.runCli('token', email)
    const glasses = new Glasses({ url: this.#url, token, ...options })
    this.#cleanups.push(() => glasses.disconnect())
    await glasses.connect()
    return { glasses, phone: new Phone({ url: this.#url, token }) }
  }

  #addLogLine(line: string): void {
    this.#lines = [...this.#lines, line].slice(-LINES_KEPT)
    this.screen.log(line)
    this.#logEvents.emit('line')
  }

  /** Runs a program that is to run until the end. */
  #runService(options: ProgramOptions): ChildProgram {
    const child = this.#spawn(options)
    void child.exited.then(() => this.#closing || this.#rejectUnexpectedExit(child.failure()))
    return child
  }

  #spawn(options: ProgramOptions): ChildProgram {
    if (this.#closing) throw new Error('The demo is over')
    const child = new ChildProgram({ ...options, cwd: this.#folder })
    this.#cleanups.push(() => child.stop())
    return child
  }
}

/** A manifest whose server is elsewhere, its web view with it. */
function withPublicUrl(manifest: Record<string, unknown>, publicUrl: string): Record<string, unknown> {
  const { webviewURL, publicUrl: before } = manifest
  if (typeof webviewURL !== 'string' || typeof before !== 'string') return { ...manifest, publicUrl }
  return { ...manifest, publicUrl, webviewURL: webviewURL.replace(before, publicUrl) }
}

/** What `app register` prints. */
function parseRegistration(printed: string): { packageName: string; apiKey: string } {
  const parsed: unknown = JSON.parse(printed)
  if (typeof parsed === 'object' && parsed !== null && 'packageName' in parsed && 'apiKey' in parsed) {
    return { packageName: String(parsed.packageName), apiKey: String(parsed.apiKey) }
  }
  throw new Error('The command "app register" printed no API key')
}
