import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock, Timer } from '../../../time/index.ts'
import { type Feed, KEPT_SEGMENTS, SEGMENT_SECONDS, type Tracks } from './feed.ts'
import { Ffmpeg, READ_FEED } from './ffmpeg.ts'

/** Names of the playlists. */
export const HLS_PLAYLIST = 'master.m3u8'
export const DASH_MANIFEST = 'manifest.mpd'

/** Segments in the playlists; the other kept ones are for slow players. */
const WINDOW_SEGMENTS = 8

/** Delays before restarts of a packager that failed. */
const RESTART_DELAYS_MS = [500, 2_000, 5_000, 15_000]

/** Files that exist once the first segment is complete, and what they then contain. */
const READY_FILES: readonly (readonly [name: string, content: string])[] = [
  [HLS_PLAYLIST, '#EXT-X-STREAM-INF'],
  [DASH_MANIFEST, '<S '],
  ['media_0.m3u8', '#EXTINF'],
]

export interface PackagerDeps {
  readonly clock: Clock
  readonly feed: Feed
  /** The ffmpeg program. */
  readonly program: string
  /** Where the files are written; it exists. */
  readonly folder: string
  readonly failed: (reason: string) => void
}

/**
 * Packages a feed as HLS and DASH with fragmented MP4 segments, without encoding: one ffmpeg process that writes a
 * sliding window of files.
 */
export class Packager {
  readonly #deps: PackagerDeps
  #process: Ffmpeg | undefined
  #restart: Timer | undefined
  /** The end of previous processes. */
  #ending: Promise<unknown> = Promise.resolve()
  /** Number of calls of `start` and `stop`, of which the last one counts. */
  #requests = 0
  /** Number of the process, which is part of the names of its files. */
  #run = 0
  #failures = 0

  constructor(deps: PackagerDeps) {
    this.#deps = deps
  }

  /** Starts, or starts anew if the encoding of the feed changed. */
  async start(tracks: Tracks): Promise<void> {
    this.#requests += 1
    const request = this.#requests
    await this.#end()
    // Meanwhile it may have been stopped, or started with another encoding.
    if (request === this.#requests) this.#spawn(tracks)
  }

  /** Whether the playlists exist, with at least one segment each. */
  async isReady(): Promise<boolean> {
    const found = await Promise.all(
      READY_FILES.map(async ([name, content]) => {
        const text = await readFile(join(this.#deps.folder, name), 'utf8').catch(() => '')
        return text.includes(content)
      }),
    )
    return found.every(Boolean)
  }

  async stop(): Promise<void> {
    this.#requests += 1
    await this.#end()
  }

  /** Resolves when no process runs. */
  async #end(): Promise<void> {
    this.#restart?.cancel()
    const process = this.#process
    this.#process = undefined
    if (process) {
      this.#deps.feed.remove(process)
      this.#ending = Promise.all([this.#ending, process.stop()])
    }
    await this.#ending
  }

  /** Removes the segments of previous processes, which remove their own only while they run. */
  async #removeSegments(current: number): Promise<void> {
    const { folder } = this.#deps
    for (const name of await readdir(folder).catch(() => []))
      if (Number.parseInt(name, 10) < current) await rm(join(folder, name), { force: true }).catch(() => {})
  }

  #spawn(tracks: Tracks): void {
    const { clock, feed, program, folder, failed } = this.#deps
    this.#run += 1
    void this.#removeSegments(this.#run)
    const startedAt = clock.monotonicNow()
    const process = new Ffmpeg(tracks, {
      program,
      cwd: folder,
      args: packagerArguments(this.#run, tracks),
      onExit: (reason) => {
        feed.remove(process)
        if (this.#process !== process) return
        this.#process = undefined
        failed(reason)
        // A packager that ran for a while starts with the shortest delay again.
        if (clock.monotonicNow() - startedAt > 60_000) this.#failures = 0
        const delay = RESTART_DELAYS_MS[Math.min(this.#failures, RESTART_DELAYS_MS.length - 1)] ?? 0
        this.#failures += 1
        this.#restart = clock.after(delay, () => this.#spawn(feed.tracks ?? tracks))
      },
    })
    this.#process = process
    feed.add(process)
  }
}

function packagerArguments(run: number, tracks: Tracks): string[] {
  return [
    ...READ_FEED,
    ...['-map', '0:v:0', '-map', '0:a:0?', '-c', 'copy', '-f', 'dash'],
    ...['-seg_duration', `${SEGMENT_SECONDS}`, '-streaming', '1', '-hls_playlist', '1'],
    ...['-window_size', `${WINDOW_SEGMENTS}`, '-extra_window_size', `${KEPT_SEGMENTS - WINDOW_SEGMENTS}`],
    // Rewritten with every segment, because the first time the bit rate of the video is not known yet.
    ...['-hls_master_name', HLS_PLAYLIST, '-master_m3u8_publish_rate', '1'],
    ...['-adaptation_sets', tracks.audio ? 'id=0,streams=v id=1,streams=a' : 'id=0,streams=v'],
    ...['-init_seg_name', `${run}-init-$RepresentationID$.m4s`],
    ...['-media_seg_name', `${run}-$RepresentationID$-$Number%05d$.m4s`],
    DASH_MANIFEST,
  ]
}
