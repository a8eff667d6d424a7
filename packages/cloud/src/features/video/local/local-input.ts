import { randomBytes, randomUUID } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { OutputReport } from '../../../session/index.ts'
import type { Clock } from '../../../time/index.ts'
import { Feed, type Tracks } from './feed.ts'
import { Output } from './output.ts'
import { Packager } from './packager.ts'
import type { Recorder } from './recorder.ts'
import type { PublisherHandler, RtmpPublisher } from './rtmp-publisher.ts'
import { Thumbnails } from './thumbnails.ts'

export interface LocalInputDeps {
  readonly clock: Clock
  readonly log: Logger
  /** The ffmpeg program. */
  readonly program: string
  /** Parent of the folder of this input. */
  readonly folder: string
  readonly allowPrivateNetworks: boolean
  /** Records the feed; undefined: it is not recorded. */
  readonly createRecorder?: ((inputId: string, feed: Feed) => Recorder) | undefined
  /** Called when the status of an output changed. */
  outputsChanged(inputId: string): void
}

/** An input of this machine: its feed, and everything that reads it. */
export class LocalInput {
  readonly inputId = randomBytes(9).toString('hex')
  /** Glasses publish with it. Secret. */
  readonly streamKey = randomBytes(24).toString('base64url')
  /** Part of the playback URLs. */
  readonly token = randomBytes(18).toString('base64url')
  /** Playlists and segments. */
  readonly folder: string
  readonly #deps: LocalInputDeps
  readonly #feed: Feed
  readonly #packager: Packager
  readonly #thumbnails: Thumbnails
  readonly #recorder: Recorder | undefined
  readonly #outputs = new Map<string, Output>()
  #publisher: RtmpPublisher | undefined
  #closed: Promise<void> | undefined

  private constructor(deps: LocalInputDeps) {
    this.#deps = deps
    const { clock, log, program } = deps
    this.folder = join(deps.folder, this.inputId)
    this.#feed = new Feed(clock, { onTracks: (tracks) => this.#start(tracks) })
    this.#packager = new Packager({
      clock,
      feed: this.#feed,
      program,
      folder: this.folder,
      failed: (reason) => log.warn({ input: this.inputId, reason }, 'streams: packaging failed; it restarts'),
    })
    this.#thumbnails = new Thumbnails(clock, this.#feed, program)
    this.#recorder = deps.createRecorder?.(this.inputId, this.#feed)
  }

  /** @throws Error if its folder cannot be created */
  static async create(deps: LocalInputDeps): Promise<LocalInput> {
    const input = new LocalInput(deps)
    await mkdir(input.folder, { recursive: true, mode: 0o700 })
    return input
  }

  /** The last thumbnail. */
  get thumbnail(): Buffer | undefined {
    return this.#thumbnails.image
  }

  /** Accepts a publisher. It replaces the previous one, whose loss the server may not have noticed yet. */
  accept(publisher: RtmpPublisher): PublisherHandler {
    const previous = this.#publisher
    this.#publisher = publisher
    previous?.close()
    this.#feed.publisherConnected()
    return {
      onTag: (tag) => {
        if (this.#publisher !== publisher || this.#closed) return
        this.#feed.push(tag)
        if (!this.#feed.isInvalid) return
        this.#deps.log.warn(
          { input: this.inputId },
          'streams: a feed that cannot be packaged was disconnected',
        )
        // It may have sent more, which is ignored.
        this.#publisher = undefined
        publisher.close()
      },
      onEnd: () => {
        if (this.#publisher === publisher) this.#publisher = undefined
      },
    }
  }

  isReady(): Promise<boolean> {
    return this.#packager.isReady()
  }

  addOutput(url: string): string {
    const { clock, program, allowPrivateNetworks, outputsChanged } = this.#deps
    const output = new Output(randomUUID(), url, {
      clock,
      feed: this.#feed,
      program,
      folder: this.folder,
      allowPrivateNetworks,
      changed: () => outputsChanged(this.inputId),
    })
    this.#outputs.set(output.outputId, output)
    if (this.#feed.tracks) output.start(this.#feed.tracks)
    return output.outputId
  }

  async removeOutput(outputId: string): Promise<void> {
    const output = this.#outputs.get(outputId)
    this.#outputs.delete(outputId)
    await output?.remove()
  }

  outputs(): OutputReport[] {
    return [...this.#outputs.values()].map(({ report }) => report)
  }

  /** Disconnects the publisher, ends all processes and removes all files. May be called twice. */
  close(): Promise<void> {
    this.#closed ??= this.#close()
    return this.#closed
  }

  #start(tracks: Tracks): void {
    if (this.#closed) return
    void this.#packager.start()
    this.#thumbnails.start()
    this.#recorder?.start(tracks)
    for (const output of this.#outputs.values()) output.start(tracks)
  }

  async #close(): Promise<void> {
    this.#publisher?.close()
    await Promise.all([
      this.#packager.stop(),
      this.#thumbnails.stop(),
      this.#recorder?.stop(),
      ...[...this.#outputs.values()].map((output) => output.remove()),
    ])
    this.#feed.end()
    // An output that was just being started may add a file meanwhile.
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 })
  }
}
