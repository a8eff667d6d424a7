import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Timer } from '../../clock.ts'
import type {
  VideoPublisher as Publisher,
  VideoEncoding,
  VideoPublisherOptions,
  VideoSource,
} from '../../platform/platform.ts'

const DEFAULT_ENCODING = { width: 640, height: 360, frameRate: 15, bitrate: 800_000, audioBitrate: 64_000 }

/** Seconds between two keyframes. */
const KEYFRAME_SECONDS = 1

const MAX_RECONNECTS = 5

/** Delay before the first reconnect; each further one is twice as long. */
const RECONNECT_DELAY_MS = 1_000

/** Time between two reports of statistics. */
const STATS_MS = 5_000

const EXIT_TIMEOUT_MS = 2_000

/** Publishes real H.264 and AAC with ffmpeg, and reconnects as glasses do. */
export class VideoPublisher implements Publisher {
  readonly #options: VideoPublisherOptions
  #process: ChildProcess | undefined
  /** Contains the target of the process until it has read it. */
  #folder: string | undefined
  #reconnect: Timer
  #attempts = 0
  #startedAt = 0
  #reportedAt = 0
  /** Whether the current connection streams, and whether any one did. */
  #isStreaming = false
  #hasStreamed = false
  #isOver = false

  constructor(options: VideoPublisherOptions) {
    this.#options = options
  }

  start(): void {
    this.#options.onStatus('initializing')
    this.#startedAt = this.#options.clock.now()
    this.#spawn()
  }

  /** Disconnects as when the network is lost; the glasses then reconnect. */
  interrupt(): void {
    this.#process?.kill('SIGKILL')
  }

  /** Resolves when nothing is published any more. */
  async stop(): Promise<void> {
    this.#isOver = true
    this.#options.clock.clearTimeout(this.#reconnect)
    const process = this.#process
    if (!process || process.exitCode !== null || process.signalCode !== null) return
    const exited = new Promise((resolve) => process.once('close', resolve))
    process.kill('SIGINT')
    const timer = setTimeout(() => process.kill('SIGKILL'), EXIT_TIMEOUT_MS)
    await exited
    clearTimeout(timer)
  }

  #spawn(): void {
    const { program = 'ffmpeg', source, encoding, url } = this.#options
    const target = splitUrl(url)
    // In a file, because other accounts can see the arguments.
    this.#folder = mkdtempSync(join(tmpdir(), 'glasses-stream-'))
    const preset = join(this.#folder, 'target')
    writeFileSync(preset, `rtmp_app=${target.app}\nrtmp_playpath=${target.playpath}\n`, { mode: 0o600 })
    const args = [...inputArguments(source, encoding), ...encoderArguments(encoding, preset), target.url]
    this.#isStreaming = false
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    this.#process = child
    let stderr = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-2_000)
    })
    child.stdout.setEncoding('utf8').on('data', (text: string) => this.#handleProgress(text))
    let isDone = false
    const done = (reason: string) => {
      if (isDone) return
      isDone = true
      this.#removePreset()
      if (!this.#isOver) this.#lost(reason)
    }
    child.once('error', ({ message }) => done(message))
    child.once('close', () =>
      done(stderr.trim().split('\n').at(-1)?.slice(0, 200) || 'The connection was lost'),
    )
  }

  #handleProgress(text: string): void {
    const { clock, onStatus } = this.#options
    const value = (name: string) => Number(new RegExp(`${name}=\\s*([\\d.]+)`).exec(text)?.[1] ?? 0)
    if (this.#isOver || value('total_size') === 0) return
    const now = clock.now()
    const isFirst = !this.#isStreaming
    if (!isFirst && now - this.#reportedAt < STATS_MS) return
    this.#reportedAt = now
    const stats = {
      bitrate: Math.round(value('bitrate') * 1_000),
      fps: Math.round(value('fps')),
      droppedFrames: value('drop_frames'),
      duration: Math.round((now - this.#startedAt) / 1_000),
    }
    if (isFirst && this.#hasStreamed) onStatus('reconnected', { attempt: this.#attempts })
    else onStatus('streaming', { stats })
    this.#isStreaming = true
    this.#hasStreamed = true
    this.#attempts = 0
    this.#removePreset()
  }

  #removePreset(): void {
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true })
    this.#folder = undefined
  }

  #lost(reason: string): void {
    const { clock, onStatus, onEnd } = this.#options
    if (this.#attempts >= MAX_RECONNECTS) {
      this.#isOver = true
      onStatus('reconnect_failed', { maxAttempts: MAX_RECONNECTS })
      return onEnd()
    }
    this.#attempts += 1
    onStatus('reconnecting', { attempt: this.#attempts, maxAttempts: MAX_RECONNECTS, reason })
    this.#reconnect = clock.setTimeout(() => this.#spawn(), RECONNECT_DELAY_MS * 2 ** (this.#attempts - 1))
  }
}

/** Splits a URL at its last segment, the stream key. */
function splitUrl(text: string): { readonly url: string; readonly app: string; readonly playpath: string } {
  const { protocol, host, pathname, search } = new URL(text)
  const path = pathname.replace(/^\/+/, '')
  const end = path.lastIndexOf('/')
  return {
    url: `${protocol}//${host}`,
    app: path.slice(0, Math.max(end, 0)),
    playpath: path.slice(end + 1) + search,
  }
}

function inputArguments(source: VideoSource, encoding: VideoEncoding): string[] {
  const { width, height, frameRate } = { ...DEFAULT_ENCODING, ...defined(encoding) }
  const quiet = ['-hide_banner', '-nostdin', '-loglevel', 'error']
  if (source.kind === 'file')
    return [
      ...quiet,
      '-re',
      '-stream_loop',
      '-1',
      '-i',
      source.path,
      '-vf',
      `scale=${width}:${height},fps=${frameRate}`,
    ]
  return [
    ...quiet,
    ...['-re', '-f', 'lavfi', '-i', `testsrc2=size=${width}x${height}:rate=${frameRate}`],
    ...['-re', '-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=44100'],
  ]
}

function encoderArguments(encoding: VideoEncoding, preset: string): string[] {
  const { frameRate, bitrate, audioBitrate } = { ...DEFAULT_ENCODING, ...defined(encoding) }
  return [
    ...[
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
      '-tune',
      'zerolatency',
      '-pix_fmt',
      'yuv420p',
      '-threads',
      '1',
    ],
    ...['-g', `${Math.max(Math.round(frameRate * KEYFRAME_SECONDS), 1)}`, '-b:v', `${bitrate}`],
    ...['-c:a', 'aac', '-b:a', `${audioBitrate}`, '-ac', '1', '-progress', 'pipe:1', '-stats_period', '0.5'],
    ...['-f', 'flv', '-flvflags', 'no_duration_filesize', '-fpre', preset],
  ]
}

function defined(encoding: VideoEncoding): Partial<Record<keyof VideoEncoding, number>> {
  return Object.fromEntries(
    Object.entries(encoding).filter(([, value]) => typeof value === 'number' && value > 0),
  )
}
