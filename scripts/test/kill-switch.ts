import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Kills test files that do not end. node:test's own timeout ends a test that waits for ever, but it asks politely
 * (SIGTERM, answered by an event handler), so an endless loop never hears it.
 */
export class KillSwitch {
  readonly #folder = mkdtempSync(join(tmpdir(), 'glasses-cloud-tests-'))
  readonly #timers = new Map<string, NodeJS.Timeout>()
  readonly #afterMs: number
  readonly #onStuck: (file: string) => void

  /**
   * @param afterMs how long a file may run
   * @param onStuck called when a file is still not over five seconds after its process was killed: a process it
   *   started holds its output open, and node:test waits for that
   */
  constructor(afterMs: number, onStuck: (file: string) => void) {
    this.#afterMs = afterMs
    this.#onStuck = onStuck
    process.env.TEST_PROCESSES = this.#folder
  }

  /** A file's process starts. */
  arm(file: string): void {
    this.#timers.set(
      file,
      setTimeout(() => this.#kill(file), this.#afterMs),
    )
  }

  /** A file's process has ended. */
  disarm(file: string): void {
    clearTimeout(this.#timers.get(file))
    this.#timers.delete(file)
  }

  /** All files are done. */
  close(): void {
    for (const file of this.#timers.keys()) this.disarm(file)
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
      setTimeout(() => this.#onStuck(file), 5000),
    )
  }
}
