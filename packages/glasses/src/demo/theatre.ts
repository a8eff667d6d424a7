import { EventEmitter } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { systemClock } from '../clock.ts'
import { Glasses } from '../glasses.ts'
import type { GlassesOptions } from '../glasses-options.ts'
import { waitUntil } from '../inbox/wait-until.ts'
import { Phone } from '../phone.ts'
import { Child, type ChildOptions } from './child.ts'
import { freePort, serving } from './ready.ts'
import type { Stage } from './stage.ts'

/** The root of the project. */
const root = fileURLToPath(new URL('../../../../', import.meta.url))

/** Apps are waited for no longer than this, in milliseconds. */
const LINE_TIMEOUT_MS = 60_000

/** So many lines of the apps are kept. */
const LINES_KEPT = 200

type Program = Omit<ChildOptions, 'cwd'>

/** Somebody with glasses and a phone. */
export interface DemoWearer {
  readonly glasses: Glasses
  readonly phone: Phone
}

/**
 * Everything a scenario plays with: a cloud of its own in a folder of its own, apps as programs of their own, wearers.
 * What was set up is taken down again by `close`, whatever happened in between.
 */
export class Theatre {
  readonly stage: Stage
  /** Rejects when a program ends that should still run. */
  readonly accident: Promise<never>
  #onAccident: (error: Error) => void = () => {}
  #closing = false
  readonly #folder: string
  readonly #env: Readonly<Record<string, string>>
  readonly #url: string
  readonly #takeDown: (() => Promise<void>)[] = []
  readonly #said = new EventEmitter<{ line: [] }>()
  #lines: string[] = []

  private constructor(
    stage: Stage,
    folder: string,
    port: number,
    settings: Readonly<Record<string, string>>,
  ) {
    this.stage = stage
    this.accident = new Promise((_, reject) => {
      this.#onAccident = reject
    })
    // Whoever plays listens; while nobody does, an accident is no crash.
    this.accident.catch(() => {})
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
  static async open(stage: Stage, settings: Readonly<Record<string, string>> = {}): Promise<Theatre> {
    const folder = await mkdtemp(join(tmpdir(), 'glasses-cloud-demo-'))
    const theatre = new Theatre(stage, folder, await freePort(), settings)
    theatre.#takeDown.push(() => rm(folder, { recursive: true, force: true }))
    try {
      const cloud = theatre.#start({
        name: 'The cloud',
        script: join(root, 'packages/cloud/src/main.ts'),
        env: theatre.#env,
      })
      await serving(cloud, `${theatre.#url}/readyz`)
      return theatre
    } catch (error) {
      await theatre.close()
      throw error
    }
  }

  /** Takes down what was set up, the last first. Safe to call twice. */
  async close(): Promise<void> {
    this.#closing = true
    for (let step = this.#takeDown.pop(); step; step = this.#takeDown.pop()) await step()
  }

  /** Runs a command of the cloud's command line and gives what it printed. */
  async cli(...args: string[]): Promise<string> {
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
  async app(name: string): Promise<string> {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const manifest: Record<string, unknown> = JSON.parse(
      await readFile(join(root, 'apps', name, 'manifest.json'), 'utf8'),
    )
    const own = join(this.#folder, `${name}.json`)
    await writeFile(own, JSON.stringify(moved(manifest, url)))
    const { packageName, apiKey } = registration(await this.cli('app', 'register', own))
    const app = this.#start({
      name: `The app ${name}`,
      script: join(root, 'apps', name, 'src/main.ts'),
      env: { PORT: String(port), PACKAGE_NAME: packageName, API_KEY: apiKey, NODE_ENV: 'production' },
      // The SDK is talkative; an app's own lines begin with its name.
      onLine: (line) => line.startsWith(`${name}: `) && this.#heard(line),
    })
    await serving(app, `${url}/health`)
    return packageName
  }

  /** Waits for a line of an app's own log, one that came already included. */
  async line(pattern: RegExp): Promise<string> {
    return await waitUntil({
      on: this.#said,
      event: 'line',
      look: () => this.#lines.findLast((line) => pattern.test(line)),
      timeoutMs: LINE_TIMEOUT_MS,
      clock: systemClock,
      describe: () => `an app to say ${pattern}; the last it said was: ${this.#lines.at(-1) ?? 'nothing'}`,
    })
  }

  /** Puts glasses on somebody's nose; their lens is the one on stage. */
  async wearer(email: string, options: Partial<GlassesOptions> = {}): Promise<DemoWearer> {
    const wearer = await this.passerBy(email, options)
    wearer.glasses.on('lens', (lens) => this.stage.showLens(lens.lines))
    return wearer
  }

  /** Puts glasses on somebody whose lens is not on stage. */
  async passerBy(email: string, options: Partial<GlassesOptions> = {}): Promise<DemoWearer> {
    const token = await this.cli('token', email)
    const glasses = new Glasses({ url: this.#url, token, ...options })
    this.#takeDown.push(() => glasses.disconnect())
    await glasses.connect()
    return { glasses, phone: new Phone({ url: this.#url, token }) }
  }

  #heard(line: string): void {
    this.#lines = [...this.#lines, line].slice(-LINES_KEPT)
    this.stage.log(line)
    this.#said.emit('line')
  }

  /** Runs a program that is to run until the end. */
  #start(options: Program): Child {
    const child = this.#spawn(options)
    void child.exited.then(() => this.#closing || this.#onAccident(child.failure()))
    return child
  }

  #spawn(options: Program): Child {
    if (this.#closing) throw new Error('The demo is over')
    const child = new Child({ ...options, cwd: this.#folder })
    this.#takeDown.push(() => child.stop())
    return child
  }
}

/** A manifest whose server is elsewhere, its web view with it. */
function moved(manifest: Record<string, unknown>, publicUrl: string): Record<string, unknown> {
  const { webviewURL, publicUrl: before } = manifest
  if (typeof webviewURL !== 'string' || typeof before !== 'string') return { ...manifest, publicUrl }
  return { ...manifest, publicUrl, webviewURL: webviewURL.replace(before, publicUrl) }
}

/** What `app register` prints. */
function registration(printed: string): { packageName: string; apiKey: string } {
  const parsed: unknown = JSON.parse(printed)
  if (typeof parsed === 'object' && parsed !== null && 'packageName' in parsed && 'apiKey' in parsed) {
    return { packageName: String(parsed.packageName), apiKey: String(parsed.apiKey) }
  }
  throw new Error('The command "app register" printed no API key')
}
