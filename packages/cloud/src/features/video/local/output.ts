import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { maskStreamKeys, type OutputReport } from '../../../session/index.ts'
import type { Clock, Timer } from '../../../time/index.ts'
import type { Feed, Tracks } from './feed.ts'
import { Ffmpeg, READ_FEED } from './ffmpeg.ts'
import { parseRtmpTarget, type RtmpTarget, RtmpTunnel } from './rtmp-tunnel.ts'

/** Delays before retries; the last one repeats. */
const RETRY_DELAYS_MS = [1_000, 2_000, 5_000, 10_000, 30_000]

/** Length of a line in a preset file, beyond which ffmpeg cuts it off. */
const MAX_PRESET_LINE = 990

/** Length of a path from which on it is taken for a stream key. */
const MIN_KEY_CHARACTERS = 4

export interface OutputDeps {
  readonly clock: Clock
  readonly feed: Feed
  /** The ffmpeg program. */
  readonly program: string
  /** For files that only this account can read. */
  readonly folder: string
  readonly allowPrivateNetworks: boolean
  /** Called when the status or its reason changed. */
  changed(): void
}

/**
 * Forwards a feed to an RTMP server with its own ffmpeg process, and reconnects with backoff when that fails. The feed
 * and other outputs are not affected.
 */
export class Output {
  readonly outputId: string
  readonly #deps: OutputDeps
  readonly #target: RtmpTarget
  #status: OutputReport['status'] = 'connecting'
  #error: string | null = null
  #retries = 0
  #attempt: Attempt | undefined
  #retry: Timer | undefined
  #isRemoved = false

  /** @param url accepted by `parseOutputUrl` */
  constructor(outputId: string, url: string, deps: OutputDeps) {
    this.outputId = outputId
    this.#deps = deps
    this.#target = parseRtmpTarget(url)
  }

  get report(): OutputReport {
    return { outputId: this.outputId, status: this.#status, error: this.#error, retries: this.#retries }
  }

  /** Starts, or starts anew if the encoding of the feed changed. */
  start(tracks: Tracks): void {
    this.#retry?.cancel()
    const previous = this.#attempt
    this.#attempt = undefined
    void previous?.stop()
    this.#connect(tracks)
  }

  /** Resolves when the process has ended. */
  async remove(): Promise<void> {
    this.#isRemoved = true
    this.#retry?.cancel()
    const attempt = this.#attempt
    this.#attempt = undefined
    await attempt?.stop()
  }

  #connect(tracks: Tracks): void {
    if (
      presetOf(this.#target)
        .split('\n')
        .some((line) => line.length > MAX_PRESET_LINE)
    )
      return this.#setStatus('error', 'The path of the URL is too long')
    const { feed, program, folder, allowPrivateNetworks } = this.#deps
    const attempt = new Attempt({
      target: this.#target,
      program,
      folder,
      allowPrivateNetworks,
      feed,
      tracks,
      onActive: () => {
        if (this.#attempt !== attempt) return
        this.#retries = 0
        this.#setStatus('active', null)
      },
      onFailed: (reason) => {
        if (this.#attempt === attempt) this.#failed(reason)
      },
    })
    this.#attempt = attempt
    void attempt.start()
  }

  #failed(reason: string): void {
    this.#attempt = undefined
    if (this.#isRemoved) return
    const { clock, feed } = this.#deps
    const delay = RETRY_DELAYS_MS[Math.min(this.#retries, RETRY_DELAYS_MS.length - 1)] ?? 0
    this.#retry = clock.after(delay, () => {
      this.#retries += 1
      if (feed.tracks) this.#connect(feed.tracks)
    })
    this.#setStatus('error', maskStreamKeys(maskPlaypath(reason, this.#target)))
  }

  #setStatus(status: OutputReport['status'], error: string | null): void {
    if (status === this.#status && error === this.#error) return
    this.#status = status
    this.#error = error
    this.#deps.changed()
  }
}

interface AttemptOptions {
  readonly target: RtmpTarget
  readonly program: string
  readonly folder: string
  readonly allowPrivateNetworks: boolean
  readonly feed: Feed
  readonly tracks: Tracks
  /** The target accepts the stream. */
  onActive(): void
  /** Called once, unless `stop` was called before. */
  onFailed(reason: string): void
}

/** One connection to the target of an output. */
class Attempt {
  readonly #options: AttemptOptions
  #process: Ffmpeg | undefined
  #tunnel: RtmpTunnel | undefined
  #isOver = false
  /** The file with the target for the process, which removes it from the arguments that other accounts can see. */
  readonly #preset: string

  constructor(options: AttemptOptions) {
    this.#options = options
    this.#preset = join(options.folder, `output-${randomUUID()}`)
  }

  async start(): Promise<void> {
    const { target, program, feed, tracks, onActive } = this.#options
    try {
      this.#tunnel = await RtmpTunnel.open(target, this.#options.allowPrivateNetworks)
      await writeFile(this.#preset, presetOf(target), { mode: 0o600 })
    } catch (error) {
      return this.#fail(`The connection cannot be opened: ${(error as NodeJS.ErrnoException).code}`)
    }
    const tunnel = this.#tunnel
    if (this.#isOver) return this.#release()
    const process = new Ffmpeg(tracks, {
      program,
      args: outputArguments(tunnel.port, this.#preset, target),
      onOutput: (data) => {
        const bytes = /total_size=(\d+)/.exec(String(data))?.[1]
        if (this.#isOver || !(Number(bytes) > 0)) return
        this.#removePreset()
        onActive()
      },
      onExit: (reason) => this.#fail(serverError(reason) ?? tunnel.problem ?? reason),
    })
    this.#process = process
    feed.add(process)
  }

  async stop(): Promise<void> {
    this.#isOver = true
    if (this.#process) this.#options.feed.remove(this.#process)
    await this.#process?.stop()
    this.#release()
  }

  #fail(reason: string): void {
    if (this.#process) this.#options.feed.remove(this.#process)
    this.#release()
    if (this.#isOver) return
    this.#isOver = true
    this.#options.onFailed(reason)
  }

  #release(): void {
    this.#tunnel?.close()
    this.#removePreset()
  }

  #removePreset(): void {
    void rm(this.#preset, { force: true }).catch(() => {})
  }
}

/** Returns what the target answered, which explains more than the closed connection. */
function serverError(reason: string): string | undefined {
  const answer = /^Server error: (.+)/.exec(reason)?.[1]
  return answer && `The target rejected the stream: ${answer}`
}

/** Masks the stream key in what a server answered, which apps see. Shorter ones are words of the sentence. */
function maskPlaypath(reason: string, { playpath }: RtmpTarget): string {
  const [path = '', ...query] = playpath.split('?')
  const secrets = [playpath, path, query.join('?')].filter(({ length }) => length >= MIN_KEY_CHARACTERS)
  return secrets.reduce((masked, secret) => masked.replaceAll(secret, '****'), reason)
}

/**
 * Returns the arguments, which other accounts can see: they contain neither the target nor its stream key, and
 * credentials only if the operator allows it.
 */
function outputArguments(port: number, preset: string, { credentials }: RtmpTarget): string[] {
  return [
    ...READ_FEED,
    ...['-map', '0:v:0', '-map', '0:a:0?', '-c', 'copy'],
    ...['-progress', 'pipe:1', '-stats_period', '0.5'],
    ...['-f', 'flv', '-flvflags', 'no_duration_filesize', '-fpre', preset],
    `rtmp://${credentials}127.0.0.1:${port}`,
  ]
}

/** Returns the options that ffmpeg reads from a file. */
function presetOf({ app, playpath, tcUrl }: RtmpTarget): string {
  return `rtmp_app=${app}\nrtmp_playpath=${playpath}\nrtmp_tcurl=${tcUrl}\n`
}
