import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** How long a killed file may take to be reported as complete. */
const STUCK_AFTER_MS = 5000

/**
 * Kills the processes of test files that do not finish. The timeout of node:test stops a test that waits for a
 * promise, but it sends SIGTERM, which an event handler receives, so it cannot stop an endless loop.
 */
export class Watchdog {
  readonly #folder = mkdtempSync(join(tmpdir(), 'glasses-cloud-tests-'))
  readonly #timers = new Map<string, NodeJS.Timeout>()
  readonly #timeoutMs: number
  readonly #onStuck: (file: string) => void

  /**
   * @param timeoutMs how long a file may run
   * @param onStuck called if a file is still not complete 5 s after its process was killed: a process that it started
   *   keeps its output open, and node:test waits for that
   */
  constructor(timeoutMs: number, onStuck: (file: string) => void) {
    this.#timeoutMs = timeoutMs
    this.#onStuck = onStuck
    process.env.TEST_PROCESSES = this.#folder
  }

  /** Starts the timer of a test file. */
  start(file: string): void {
    this.#timers.set(
      file,
      setTimeout(() => this.#kill(file), this.#timeoutMs),
    )
  }

  /** Stops the timer of a test file. */
  stop(file: string): void {
    clearTimeout(this.#timers.get(file))
    this.#timers.delete(file)
  }

  close(): void {
    for (const file of this.#timers.keys()) this.stop(file)
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #kill(file: string): void {
    for (const pid of readdirSync(this.#folder)) {
      if (readFileSync(join(this.#folder, pid), 'utf8') !== file) continue
      try {
        process.kill(Number(pid), 'SIGKILL')
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
      }
    }
    this.#timers.set(
      file,
      setTimeout(() => this.#onStuck(file), STUCK_AFTER_MS),
    )
  }
}
