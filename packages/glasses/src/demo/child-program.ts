import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

/** How to run a program of this project. */
export interface ChildProgramOptions {
  /** What to call it when something goes wrong. */
  readonly name: string
  readonly script: string
  readonly args?: readonly string[]
  /** The whole environment: nothing of the operator's own reaches the demo. */
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  readonly onLine?: (line: string) => void
}

/** A program that does not leave when asked is made to after this long. */
const STOP_TIMEOUT_MS = 5_000

/** So many of the last lines explain a failure; where in the code it happened does not. */
const FAILURE_LINES = 5
const STACK_FRAME = /^\s+at |^\s*$/

/** A program of this project in a process of its own. */
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
    this.#read(this.#process.stdout, this.#output)
    this.#read(this.#process.stderr, this.#errors)
    this.exited = new Promise((resolve) => {
      this.#process.once('error', () => resolve(null))
      this.#process.once('close', (code) => resolve(code))
    })
  }

  /** Waits for the end of a short program and gives what it printed; throws when it failed. */
  async result(): Promise<string> {
    const code = await this.exited
    if (code !== 0) throw this.failure()
    return this.#output.join('\n')
  }

  /** Asks the program to leave, insists after a while, and waits until it has. */
  async stop(): Promise<void> {
    if (this.#process.exitCode === null && this.#process.signalCode === null) {
      this.#process.kill('SIGTERM')
      const insist = setTimeout(() => this.#process.kill('SIGKILL'), STOP_TIMEOUT_MS)
      await this.exited
      clearTimeout(insist)
    }
  }

  /** Why the demo cannot go on: the program ended, and these were its last words. */
  failure(): Error {
    const said = this.#errors.length > 0 ? this.#errors : this.#output
    const words = said.filter((line) => !STACK_FRAME.test(line)).slice(-FAILURE_LINES)
    return new Error(
      `${this.#options.name} failed.${words.length > 0 ? ` It said:\n${words.join('\n')}` : ''}`,
    )
  }

  #read(stream: NodeJS.ReadableStream | null, kept: string[]): void {
    if (!stream) return
    createInterface({ input: stream }).on('line', (line) => {
      kept.push(line)
      // A short program's whole answer is kept; a long-running one says more than anybody will read.
      if (kept.length > 1_000) kept.shift()
      this.#options.onLine?.(line)
    })
  }
}
