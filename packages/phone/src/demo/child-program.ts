import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

export interface ChildProgramOptions {
  /** Name for error messages. */
  readonly name: string
  readonly script: string
  readonly args?: readonly string[]
  /** The complete environment: the demo does not inherit the operator's settings. */
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  readonly onLine?: (line: string) => void
}

/** Time between SIGTERM and SIGKILL. */
const STOP_TIMEOUT_MS = 5_000

const MAX_OUTPUT_LINES = 1_000

/** Number of output lines in an error message; stack frames are left out. */
const FAILURE_LINES = 5
const STACK_FRAME = /^\s+at |^\s*$/

/** A script of this project in a child process. */
export class ChildProgram {
  /** Resolves with the exit code, or `null` after a signal. Never rejects. */
  readonly exited: Promise<number | null>
  readonly #options: ChildProgramOptions
  readonly #process: ChildProcess
  readonly #output: string[] = []
  readonly #errors: string[] = []

  constructor(options: ChildProgramOptions) {
    this.#options = options
    this.#process = spawn(process.execPath, [options.script, ...(options.args ?? [])], {
      cwd: options.cwd,
      env: options.env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#collect(this.#process.stdout, this.#output)
    this.#collect(this.#process.stderr, this.#errors)
    this.exited = new Promise((resolve) => {
      this.#process.once('error', () => resolve(null))
      this.#process.once('close', (code) => resolve(code))
    })
  }

  /**
   * Waits for the exit of a short program.
   * @returns its standard output
   * @throws {Error} if the exit code is not 0
   */
  async output(): Promise<string> {
    const code = await this.exited
    if (code !== 0) throw this.failure()
    return this.#output.join('\n')
  }

  /** Terminates the program, after a timeout with SIGKILL; resolves when it has exited. */
  async stop(): Promise<void> {
    if (this.#process.exitCode === null && this.#process.signalCode === null) {
      this.#process.kill('SIGTERM')
      const killTimer = setTimeout(() => this.#process.kill('SIGKILL'), STOP_TIMEOUT_MS)
      await this.exited
      clearTimeout(killTimer)
    }
  }

  /** An error with the last lines of the program's output. */
  failure(): Error {
    const output = this.#errors.length > 0 ? this.#errors : this.#output
    const lines = output.filter((line) => !STACK_FRAME.test(line)).slice(-FAILURE_LINES)
    return new Error(
      `${this.#options.name} failed.${lines.length > 0 ? ` Its last output:\n${lines.join('\n')}` : ''}`,
    )
  }

  #collect(stream: NodeJS.ReadableStream | null, lines: string[]): void {
    if (!stream) return
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line)
      if (lines.length > MAX_OUTPUT_LINES) lines.shift()
      this.#options.onLine?.(line)
    })
  }
}
