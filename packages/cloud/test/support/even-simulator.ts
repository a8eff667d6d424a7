import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { measureText } from '@glasses-cloud/phone/even-hub'
import { PNG } from 'pngjs'
import { findProgram } from '../../src/config/index.ts'
import { findFreePort } from '../../src/http/free-port.ts'
import { inheritedEnv } from './inherited-env.ts'
import { skipIfMissing } from './optional-part.ts'
import { type Area, readText } from './read-text.ts'
import type { Scope } from './scope.ts'
import { waitFor } from './wait-for.ts'

/** The whole lens. */
const LENS: Area = { x: 0, y: 0, width: 576, height: 288 }

/** The letters of user codes. */
const CODE_LETTERS = 'BCDFGHJKLMNPQRSTVWXZ-'

/** Bytes of the recording for a second: the simulator records 8-bit samples at 16 kHz. */
const BYTES_PER_SECOND = 16_000

/** The program alone, which is a package of its own: the maker's launcher would leave it running. */
function findSimulator(): string | undefined {
  try {
    const program = `@evenrealities/sim-${process.platform}-${process.arch}/bin/evenhub-simulator`
    return createRequire(import.meta.url).resolve(program)
  } catch {
    return undefined
  }
}

const simulator = findSimulator()

function findProblem(): string | undefined {
  if (simulator === undefined)
    return `the simulator of Even Hub has no program for ${process.platform}-${process.arch}`
  if (!findProgram('Xvfb') || !findProgram('tesseract'))
    return 'Xvfb and tesseract are not installed (apt-get install xvfb tesseract-ocr)'
  // The loader lists the libraries, as `ldd` does, and does not run the program.
  const env = { LD_TRACE_LOADED_OBJECTS: '1' }
  const { stdout } = spawnSync(simulator, { env, encoding: 'utf8', timeout: 60_000 })
  if (stdout.includes('not found')) return 'WebKit is not installed (apt-get install libwebkit2gtk-4.1-0)'
  return undefined
}

/** Why tests in the simulator of Even Hub are skipped; false if its parts are installed. */
export const evenSimulatorMissing = skipIfMissing(findProblem())

/** The phone app and the glasses of Even Hub, as their maker simulates them, with one page open. */
export class EvenSimulator {
  readonly #base: string
  #seen: { readonly image: Buffer; readonly text: string } | undefined

  private constructor(port: number) {
    this.#base = `http://127.0.0.1:${port}/api`
  }

  /**
   * Opens a page. The scope ends the simulator.
   * @param display a display of `startDisplay`
   * @param recording what the microphone records each time it is turned on: PCM of 16 bits; silence follows
   */
  static async open(
    scope: Scope,
    {
      display,
      url,
      recording,
    }: { readonly display: string; readonly url: string; readonly recording: Buffer },
  ): Promise<EvenSimulator> {
    const home = await mkdtemp(join(tmpdir(), 'even-simulator-'))
    scope.after(() => rm(home, { recursive: true, force: true, maxRetries: 5 }))
    await Promise.all([writeSoundCard(home, recording), mkdir(join(home, 'runtime'), { mode: 0o700 })])
    const port = await findFreePort()
    const child = spawn(String(simulator), [url, '--automation-port', String(port), '--no-glow'], {
      cwd: home,
      env: {
        ...inheritedEnv(),
        DISPLAY: display,
        HOME: home,
        XDG_RUNTIME_DIR: join(home, 'runtime'),
        LIBGL_ALWAYS_SOFTWARE: '1',
        WEBKIT_DISABLE_COMPOSITING_MODE: '1',
        RUST_LOG: 'off',
      },
      stdio: 'ignore',
      // A group of its own, with the processes of WebKit.
      detached: true,
    })
    scope.after(() => endGroup(child))
    const opened = new EvenSimulator(port)
    await waitFor('the start of the simulator', () => opened.#get('/ping'))
    return opened
  }

  /** The text on the lens. */
  async lens(): Promise<string> {
    const image = await this.#get('/screenshot/glasses')
    if (!this.#seen?.image.equals(image)) this.#seen = { image, text: await readText(image, LENS) }
    return this.#seen.text
  }

  /** Waits until the text on the lens matches, with its line breaks as spaces. */
  async waitForLens(pattern: RegExp): Promise<void> {
    const seen = new Set<string>()
    const check = async () => {
      const text = (await this.lens()).replace(/\s+/g, ' ').trim()
      seen.add(text)
      return pattern.test(text)
    }
    await waitFor(`a text like ${pattern} on the lens`, check, 90_000).catch((error: unknown) => {
      throw new Error(`The lens showed: ${[...seen].join(' | ')}`, { cause: error })
    })
  }

  /** The brightness of each pixel of the lens, up to 255, by rows from the top: its green is more or less opaque. */
  async pixels(): Promise<number[]> {
    const { data, width, height } = PNG.sync.read(await this.#get('/screenshot/glasses'))
    return Array.from({ length: width * height }, (_, index) => data[index * 4 + 3] ?? 0)
  }

  /** The code of a sign-in, as far as it can be read: in its small letters some look alike. */
  async readCode(): Promise<string> {
    await this.waitForLens(/^Code: /)
    const image = await this.#get('/screenshot/glasses')
    const line = { x: measureText('Code: ') - 1, y: 0, width: 200, height: 27 }
    return (await readText(image, line, CODE_LETTERS)).replace(/[^A-Z]/g, '')
  }

  /** Does something on the temple of the glasses. */
  async press(action: 'click' | 'double_click' | 'long_press' | 'up' | 'down'): Promise<void> {
    const response = await fetch(`${this.#base}/input`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ action }),
      signal: AbortSignal.timeout(30_000),
    })
    if (!response.ok) throw new Error(`${action} was rejected: ${await response.text()}`)
  }

  /** What was written to the console of the page. */
  async console(): Promise<string[]> {
    const { entries } = JSON.parse(String(await this.#get('/console')))
    return entries.map(({ message }: { message: string }) => message)
  }

  async #get(path: string): Promise<Buffer> {
    const response = await fetch(this.#base + path, { signal: AbortSignal.timeout(30_000) })
    if (!response.ok) throw new Error(`${path} returned ${response.status}`)
    return Buffer.from(await response.arrayBuffer())
  }
}

/** Starts a display without a screen. Returns its name; the scope ends it. */
export async function startDisplay(scope: Scope): Promise<string> {
  const child = spawn('Xvfb', ['-displayfd', '1', '-screen', '0', '1024x768x24', '-nolisten', 'tcp'], {
    env: inheritedEnv(),
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  })
  scope.after(() => endGroup(child))
  const [number] = await once(child.stdout, 'data', { signal: AbortSignal.timeout(60_000) })
  return `:${String(number).trim()}`
}

/**
 * Makes a recording the sound card of the simulator. ALSA reads a file as fast as it is asked to; what it recorded goes to
 * a pipe that is read in the pace of real sound, which holds the reading up.
 */
async function writeSoundCard(home: string, recording: Buffer): Promise<void> {
  const samples = new Int8Array(recording.length / 2 + 120 * BYTES_PER_SECOND)
  for (let index = 0; index < recording.length / 2; index++)
    samples[index] = Math.trunc(recording.readInt16LE(index * 2) / 256)
  const file = join(home, 'recording.raw')
  const pace = `while [ $(dd bs=${BYTES_PER_SECOND / 10} count=1 2>/dev/null | wc -c) -gt 0 ]; do sleep 0.1; done`
  const card = [
    `pcm.!default { type file slave.pcm "nothing" file "|${pace}" infile "${file}" format "raw" }`,
    'pcm.nothing { type null }',
    'ctl.!default { type null }',
  ]
  await Promise.all([writeFile(file, samples), writeFile(join(home, '.asoundrc'), card.join('\n'))])
}

async function endGroup(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  process.kill(-child.pid, 'SIGKILL')
  await exited
}
