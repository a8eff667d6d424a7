import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { emptyReport, type FileReport } from './file-report.ts'
import type { Answer } from './worker.ts'

/** A worker that uses more is replaced before its next file, because each file leaves something in memory. */
const MAX_WORKER_BYTES = 1.5 * 1024 ** 3

/** Only the end of a file's output is kept, where the failure is. */
const MAX_OUTPUT_CHARS = 100_000

/** How the names of files end that run in a process of their own. */
const ALONE = '.alone.test.ts'

/** Options of a run. */
export interface PoolOptions {
  /** The number of processes. */
  readonly concurrency: number
  /** How long a test may take. */
  readonly timeoutMs: number
  /** How long a file may take. Its process is killed then. */
  readonly fileTimeoutMs: number
  /** Runs only tests with such titles. */
  readonly name?: string | undefined
  /** Whether each file runs in a process of its own. */
  readonly isolates: boolean
}

/** The result of one file. */
export interface FileResult {
  readonly file: string
  readonly ms: number
  readonly report: FileReport
  /** The end of what it printed. */
  readonly output: string
}

/**
 * Runs test files in a few processes: each takes the next file when it has completed one, and loads the modules of the
 * cloud once for all of them. A file whose name ends in `.alone.test.ts` gets a process of its own, because it measures
 * or changes what belongs to the whole process.
 */
export async function runFiles(
  files: readonly string[],
  options: PoolOptions,
  onResult: (result: FileResult) => void,
): Promise<void> {
  const queue = [...files]
  const work = async () => {
    let shared: Worker | undefined
    for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
      if (options.isolates || file.endsWith(ALONE)) {
        const own = new Worker(options)
        onResult(await own.run(file))
        own.end()
        continue
      }
      shared ??= new Worker(options)
      onResult(await shared.run(file))
      if (shared.isUsable()) continue
      shared.end()
      shared = undefined
    }
    shared?.end()
  }
  await Promise.all(Array.from({ length: Math.min(options.concurrency, files.length) }, work))
}

/** A process that runs files. */
class Worker {
  readonly #process: ChildProcess
  readonly #exited: Promise<unknown[]>
  readonly #fileTimeoutMs: number
  #output = ''
  #residentBytes = 0

  constructor({ timeoutMs, fileTimeoutMs, name }: PoolOptions) {
    this.#fileTimeoutMs = fileTimeoutMs
    this.#process = fork(join(import.meta.dirname, 'worker.ts'), {
      execArgv: [
        `--test-timeout=${timeoutMs}`,
        `--test-reporter=${new URL('reporter.ts', import.meta.url)}`,
        ...(name === undefined ? [] : [`--test-name-pattern=${name}`]),
      ],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    this.#exited = once(this.#process, 'exit')
    for (const stream of [this.#process.stdout, this.#process.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#output = (this.#output + text).slice(-MAX_OUTPUT_CHARS)
      })
    }
  }

  async run(file: string): Promise<FileResult> {
    this.#output = ''
    const startedAt = performance.now()
    let isKilled = false
    const timer = setTimeout(() => {
      isKilled = true
      this.#process.kill('SIGKILL')
    }, this.#fileTimeoutMs)
    const answer = once(this.#process, 'message').then(([message]) => {
      const { report, residentBytes } = message as Answer
      this.#residentBytes = residentBytes
      return report
    })
    const end = this.#exited.then(([code]) => {
      const error = isKilled
        ? 'It did not finish in time and was killed.'
        : `Its process exited with code ${code}.`
      return { ...emptyReport(), failures: [{ place: '', error }] }
    })
    this.#process.send(file)
    const report = await Promise.race([answer, end])
    clearTimeout(timer)
    // What it printed before its answer may be received after it.
    await setImmediate()
    return { file, ms: performance.now() - startedAt, report, output: this.#output }
  }

  /** Whether it can run another file: it is alive and has not grown too large. */
  isUsable(): boolean {
    return this.#process.connected && this.#residentBytes < MAX_WORKER_BYTES
  }

  end(): void {
    this.#process.kill('SIGKILL')
  }
}
