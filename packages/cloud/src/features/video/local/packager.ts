import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock, Timer } from '../../../time/index.ts'
import { type Feed, type FeedReader, KEPT_SEGMENTS, SEGMENT_SECONDS } from './feed.ts'
import { Ffmpeg, READ_FEED } from './ffmpeg.ts'
import { continuePlaylist } from './live-playlist.ts'
import { SilentAudio } from './silent-audio.ts'

/** Names of the playlists. */
export const HLS_PLAYLIST = 'master.m3u8'
export const DASH_MANIFEST = 'manifest.mpd'

/** The media playlists, of video and audio. */
const MEDIA_PLAYLISTS = ['media_0.m3u8', 'media_1.m3u8'] as const

/** What precedes the name of a media playlist of the encodings before the present one. */
const EARLIER = 'earlier-'

/** Segments in the playlists; the other kept ones are for slow players. */
const WINDOW_SEGMENTS = 8

/** Delays before restarts of a packager that failed. */
const RESTART_DELAYS_MS = [500, 2_000, 5_000, 15_000]

/** Files that exist once the first segment is complete, and what they then contain. */
const READY_FILES: readonly (readonly [name: string, content: string])[] = [
  [HLS_PLAYLIST, '#EXT-X-STREAM-INF'],
  [DASH_MANIFEST, '<S '],
  [MEDIA_PLAYLISTS[0], '#EXTINF'],
]

/** Every stream has audio, which is silent where the feed has none. */
const TRACKS = { audio: true, video: true }

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
 * Reads a file of a packager that changes. A media playlist contains the segments of all encodings that the stream had, in one sliding
 * window.
 * @returns undefined if there is none
 */
export async function readPlaylist(folder: string, name: string): Promise<string | undefined> {
  const read = (file: string) => readFile(join(folder, file), 'utf8').catch(() => undefined)
  const [earlier, present] = await Promise.all([read(`${EARLIER}${name}`), read(name)])
  if (!MEDIA_PLAYLISTS.some((playlist) => playlist === name)) return present
  return present === undefined ? earlier : continuePlaylist(earlier, present, WINDOW_SEGMENTS)
}

/**
 * Packages a feed as HLS and DASH with fragmented MP4 segments, without encoding: one ffmpeg process that writes a
 * sliding window of files. Another process continues the playlists when the encoding changes, or one fails.
 */
export class Packager {
  readonly #deps: PackagerDeps
  #process: Ffmpeg | undefined
  /** Gives the process the feed. */
  #reader: FeedReader | undefined
  #restart: Timer | undefined
  /** The end of previous processes, and what is made of their playlists. */
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
  async start(): Promise<void> {
    this.#requests += 1
    const request = this.#requests
    await this.#end()
    await this.#spawn(request)
  }

  /** Whether the playlists exist, with at least one segment each. */
  async isReady(): Promise<boolean> {
    const found = await Promise.all(
      READY_FILES.map(async ([name, content]) => {
        return (await readPlaylist(this.#deps.folder, name))?.includes(content)
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
    if (this.#reader) this.#deps.feed.remove(this.#reader)
    if (process) this.#ending = Promise.all([this.#ending, process.stop()])
    await this.#ending
  }

  /** @param request the number of the call of `start`, after which none may have come */
  async #spawn(request: number): Promise<void> {
    const { clock, feed, program, folder, failed } = this.#deps
    if (request === this.#requests)
      this.#ending = this.#ending.then(() =>
        keepPlaylists(folder).catch(({ message }: Error) => failed(message)),
      )
    await this.#ending
    // Meanwhile it may have been stopped, or started with another encoding.
    if (request !== this.#requests) return
    this.#run += 1
    const startedAt = clock.monotonicNow()
    const process = new Ffmpeg(TRACKS, {
      program,
      cwd: folder,
      args: packagerArguments(this.#run),
      onExit: (reason) => {
        feed.remove(reader)
        if (this.#process !== process) return
        this.#process = undefined
        failed(reason)
        // A packager that ran for a while starts with the shortest delay again.
        if (clock.monotonicNow() - startedAt > 60_000) this.#failures = 0
        const delay = RESTART_DELAYS_MS[Math.min(this.#failures, RESTART_DELAYS_MS.length - 1)] ?? 0
        this.#failures += 1
        this.#restart = clock.after(delay, () => void this.#spawn(request))
      },
    })
    const reader = new SilentAudio(process)
    this.#process = process
    this.#reader = reader
    feed.add(reader)
  }
}

/**
 * Keeps the media playlists of a process that has ended, for the next one to continue. Both contain the same encodings: one that has no
 * segment in either leaves none. Segments that no playlist contains any more are removed, which a process does only while it runs.
 */
async function keepPlaylists(folder: string): Promise<void> {
  const playlists = await Promise.all(
    MEDIA_PLAYLISTS.map((name) => readFile(join(folder, name), 'utf8').catch(() => '')),
  )
  const isComplete = playlists.every((text) => text.includes('#EXTINF'))
  let oldest = Number.POSITIVE_INFINITY
  for (const name of MEDIA_PLAYLISTS) {
    const kept = join(folder, `${EARLIER}${name}`)
    const text = isComplete
      ? await readPlaylist(folder, name)
      : await readFile(kept, 'utf8').catch(() => undefined)
    if (text === undefined) continue
    await writeFile(`${kept}.tmp`, text)
    await rename(`${kept}.tmp`, kept)
    oldest = Math.min(oldest, Number.parseInt(/^\d+(?=-.*\.m4s$)/m.exec(text)?.[0] ?? '', 10))
  }
  for (const name of await readdir(folder).catch(() => [])) {
    const isMedia = MEDIA_PLAYLISTS.some((playlist) => playlist === name)
    if (isMedia || Number.parseInt(name, 10) < oldest) await rm(join(folder, name), { force: true })
  }
}

function packagerArguments(run: number): string[] {
  return [
    ...READ_FEED,
    ...['-map', '0:v:0', '-map', '0:a:0', '-c', 'copy', '-f', 'dash'],
    ...['-seg_duration', `${SEGMENT_SECONDS}`, '-streaming', '1', '-hls_playlist', '1'],
    ...['-window_size', `${WINDOW_SEGMENTS}`, '-extra_window_size', `${KEPT_SEGMENTS - WINDOW_SEGMENTS}`],
    // Rewritten with every segment, because the first time the bit rate of the video is not known yet.
    ...['-hls_master_name', HLS_PLAYLIST, '-master_m3u8_publish_rate', '1'],
    ...['-adaptation_sets', 'id=0,streams=v id=1,streams=a'],
    ...['-init_seg_name', `${run}-init-$RepresentationID$.m4s`],
    ...['-media_seg_name', `${run}-$RepresentationID$-$Number%05d$.m4s`],
    DASH_MANIFEST,
  ]
}
