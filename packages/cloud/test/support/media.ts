import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StreamingBehavior } from '@glasses-cloud/phone'
import { findProgram } from '../../src/config/index.ts'
import { findFreePort } from '../../src/http/free-port.ts'
import { skipIfMissing } from './optional-part.ts'
import type { Scope } from './scope.ts'
import { withTimeout } from './wait-for.ts'

/** Why tests that need ffmpeg are skipped; false if it is installed. */
export const ffmpegMissing = skipIfMissing(
  findProgram('ffmpeg') === undefined ? 'ffmpeg is not installed (apt-get install ffmpeg)' : undefined,
)

/** A test picture that costs little to encode. */
export const tinyPicture: StreamingBehavior = {
  kind: 'publish',
  source: { kind: 'testsrc' },
  encoding: { width: 160, height: 90, frameRate: 10, bitrate: 100_000, audioBitrate: 32_000 },
}

/** A packet of a stream. */
export interface Packet {
  readonly codec_type: 'video' | 'audio'
  /** Seconds. */
  readonly dts_time: string
}

/** What ffprobe finds in a stream. */
export interface Probe {
  readonly streams: readonly { readonly codec_name: string; readonly width?: number }[]
  readonly packets: readonly Packet[]
}

/** Reads a file or URL with ffprobe. @throws Error if it cannot be read */
export async function probe(url: string, options: readonly string[] = []): Promise<Probe> {
  const args = ['-v', 'error', '-of', 'json', '-show_streams', '-show_packets', ...options, url]
  const { code, stdout, stderr } = await run('ffprobe', args)
  if (code !== 0) throw new Error(`ffprobe cannot read ${url}: ${stderr}`)
  return JSON.parse(stdout) as Probe
}

/** Returns the longest time between two video packets, in seconds. */
export function longestGap({ packets }: Probe): number {
  const times = packets
    .filter(({ codec_type }) => codec_type === 'video')
    .map(({ dts_time }) => Number(dts_time))
  return Math.max(...times.slice(1).map((time, index) => time - (times[index] ?? time)))
}

/** Runs a program to its end. */
export async function run(
  program: string,
  args: readonly string[],
): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text
  })
  const [code] = await withTimeout(60_000, once(child, 'close'), `${program} did not end`)
  return { code, stdout, stderr }
}

/** An RTMP server that takes one stream and writes it to a file: what an output forwards to. */
export class RtmpListener {
  readonly url: string
  readonly #scope: Scope
  readonly #folder: string
  #process: ChildProcess | undefined
  #starts = 0

  private constructor(scope: Scope, url: string, folder: string) {
    this.#scope = scope
    this.url = url
    this.#folder = folder
  }

  /** @param key the stream key in its URL */
  static async start(scope: Scope, key: string): Promise<RtmpListener> {
    const folder = await mkdtemp(join(tmpdir(), 'rtmp-listener-'))
    scope.after(() => rm(folder, { recursive: true, force: true }))
    const listener = new RtmpListener(scope, `rtmp://127.0.0.1:${await findFreePort()}/live/${key}`, folder)
    listener.restart()
    return listener
  }

  /** What was received since the last start. */
  get file(): string {
    return join(this.#folder, `${this.#starts}.flv`)
  }

  /** Listens again, on the same port. */
  restart(): void {
    this.#starts += 1
    const args = [
      '-v',
      'quiet',
      '-listen',
      '1',
      '-i',
      this.url,
      '-c',
      'copy',
      '-flush_packets',
      '1',
      '-f',
      'flv',
    ]
    const child = spawn('ffmpeg', [...args, this.file], { stdio: 'ignore' })
    this.#process = child
    this.#scope.after(() => child.kill('SIGKILL'))
  }

  /** Ends as when the server crashes. */
  async kill(): Promise<void> {
    const child = this.#process
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'close')
  }

  /** Resolves when the publisher has disconnected and the file is complete. */
  async ended(): Promise<void> {
    const child = this.#process
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    await withTimeout(20_000, once(child, 'close'), 'the publisher did not disconnect')
  }
}
