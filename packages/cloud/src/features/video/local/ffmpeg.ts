import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { childEnvironment } from '../../../config/index.ts'
import { maskStreamKeys } from '../../../session/index.ts'
import type { FeedReader, Tracks } from './feed.ts'
import { flvHeader, flvTag, type MediaTag } from './media-tag.ts'

/** Returns what to do if the program is missing. */
export function ffmpegMissing(program: string): string {
  return `${program} cannot be started; install it (apt-get install ffmpeg), or set FFMPEG_PATH`
}

/** Bytes that wait for a process that reads too slowly; beyond, tags are dropped up to a keyframe. */
const MAX_QUEUED_BYTES = 16 * 1024 * 1024

/** Time for a process to end after its input has ended. */
const EXIT_TIMEOUT_MS = 3_000

const MAX_STDERR_BYTES = 4_096

/** Reads a feed from standard input without waiting for more of it than it needs. */
export const READ_FEED = [
  ...['-hide_banner', '-nostdin', '-loglevel', 'error', '-fflags', '+nobuffer'],
  ...['-probesize', '500000', '-analyzeduration', '1000000', '-f', 'flv', '-i', 'pipe:0'],
]

export interface FfmpegOptions {
  /** The ffmpeg program. */
  readonly program: string
  readonly args: readonly string[]
  readonly cwd?: string
  /** Called with the output of the process. */
  onOutput?(data: Buffer): void
  /** Called once when the process has ended, unless `stop` was called before. */
  onExit?(reason: string): void
}

/**
 * An ffmpeg process that reads a feed from its standard input. It ends when this process ends, however that happens,
 * because its input ends then.
 */
export class Ffmpeg implements FeedReader {
  /** Undefined if it could not be started. */
  readonly #process: ChildProcess | undefined
  readonly #input: Writable | undefined
  readonly #exited: Promise<unknown>
  #stderr = ''
  #isStopped = false
  #isDropping = false

  constructor(tracks: Tracks, { program, args, cwd, onOutput, onExit }: FfmpegOptions) {
    const options: SpawnOptions = {
      env: childEnvironment(),
      stdio: ['pipe', onOutput ? 'pipe' : 'ignore', 'pipe'],
      ...(cwd === undefined ? {} : { cwd }),
    }
    let child: ChildProcess
    try {
      child = spawn(program, args, options)
    } catch (error) {
      // Unlike a missing program, a lack of memory is thrown.
      this.#exited = Promise.resolve()
      queueMicrotask(() =>
        onExit?.(`${program} cannot be started (${(error as NodeJS.ErrnoException).code})`),
      )
      return
    }
    this.#process = child
    const { stdin, stdout, stderr } = child
    this.#input = stdin ?? undefined
    stdin?.on('error', () => {})
    stdin?.write(flvHeader(tracks))
    stdout?.on('data', (data: Buffer) => onOutput?.(data))
    stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-MAX_STDERR_BYTES)
    })
    this.#exited = new Promise<void>((resolve) => {
      let isOver = false
      const over = (reason: string) => {
        if (isOver) return
        isOver = true
        resolve()
        if (!this.#isStopped) onExit?.(reason)
      }
      child.once('error', ({ message }: NodeJS.ErrnoException) =>
        over(/ENOENT|EACCES/.test(message) ? ffmpegMissing(program) : message),
      )
      child.once('close', (code, signal) => over(this.#reason() ?? `ffmpeg ended with ${code ?? signal}`))
    })
  }

  write(tag: MediaTag): void {
    const input = this.#input
    if (!input?.writable || this.#isStopped) return
    if (input.writableLength > MAX_QUEUED_BYTES) this.#isDropping = true
    if (this.#isDropping) {
      if (tag.kind !== 'keyframe' || input.writableLength > MAX_QUEUED_BYTES / 2) return
      this.#isDropping = false
    }
    input.write(flvTag(tag))
  }

  /** Ends the input, and kills the process if it does not end by itself. Resolves when it has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#input?.end()
    const timer = setTimeout(() => this.kill(), EXIT_TIMEOUT_MS)
    await this.#exited
    clearTimeout(timer)
  }

  /** Kills the process; `onExit` is called unless `stop` was. */
  kill(): void {
    // Without a process id the process was not started, and `kill` could signal others.
    if (this.#process?.pid !== undefined) this.#process.kill('SIGKILL')
  }

  /** Returns the last line that the process printed, without addresses of memory and stream keys. */
  #reason(): string | undefined {
    const line = this.#stderr.trim().split('\n').at(-1)?.trim()
    return line ? maskStreamKeys(line.replace(/^(\[[^\]]*\]\s*)+/, '')) : undefined
  }
}

/** ffmpeg ran, and rejected its input. */
export class FfmpegRejection extends Error {}

/**
 * Runs ffmpeg once with some input, and returns its output.
 * @throws FfmpegRejection if it ends with an error; other errors if it cannot be started or is killed; the reason of the
 *   signal, without starting it, if that has aborted
 */
export async function runFfmpeg(
  program: string,
  args: readonly string[],
  {
    input,
    signal,
    maxBytes,
  }: { readonly input?: Buffer; readonly signal: AbortSignal; readonly maxBytes: number },
): Promise<Buffer> {
  signal.throwIfAborted()
  const child = spawn(program, args, { env: childEnvironment(), stdio: ['pipe', 'pipe', 'ignore'] })
  const kill = () => {
    if (child.pid !== undefined) child.kill('SIGKILL')
  }
  signal.addEventListener('abort', kill, { once: true })
  const exited = once(child, 'close')
  exited.catch(() => {})
  try {
    child.stdin.on('error', () => {})
    child.stdin.end(input)
    const output = await readAll(child.stdout, maxBytes)
    const [code] = await exited
    signal.throwIfAborted()
    if (code === null) throw new Error('ffmpeg was killed')
    if (code !== 0) throw new FfmpegRejection(`ffmpeg ended with ${code}`)
    return output
  } finally {
    signal.removeEventListener('abort', kill)
    kill()
  }
}

async function readAll(stream: Readable, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    size += chunk.length
    if (size > maxBytes) throw new Error(`ffmpeg produced more than ${maxBytes} bytes`)
  }
  return Buffer.concat(chunks)
}
