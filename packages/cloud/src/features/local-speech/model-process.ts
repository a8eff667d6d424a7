import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describeEnd, endWithCloud } from '../../child-program.ts'
import type { Clock, Timer } from '../../time/index.ts'
import type { SpeechModel } from '../speech-models/index.ts'

/** Limit for loading a model: the largest ones are read from a slow disk. */
const LOAD_TIMEOUT_MS = 60_000
/** Time without use after which the process ends, so that its memory is free. */
const IDLE_MS = 10 * 60_000
/** Interval at which a process in use is asked for an answer. */
const PING_MS = 10_000
/** Questions without an answer after which the process ends: a minute, longer than a decoding takes. */
const MAX_PINGS = 6
/** Characters of what the library wrote that explain the end of a process. */
const MAX_OUTPUT = 500

/** An installed model and where it is on this node. */
export interface ModelFolder {
  readonly model: SpeechModel
  readonly folder: string
}

/** The first message to a program, sent once. */
export interface LoadMessage extends ModelFolder {
  readonly type: 'load'
  /** Further models that the process loads. */
  readonly companions: readonly ModelFolder[]
}

/** Asks a program whether it still works. */
interface PingMessage {
  readonly type: 'ping'
}

/** What every program reports. Its `loaded` may have further fields. */
type ProgramMessage =
  | { readonly type: 'loaded' }
  /** It still works. */
  | { readonly type: 'pong' }
  /** It ends. */
  | { readonly type: 'failed'; readonly message: string }

/** A model, and what to do when its process ends. */
export interface ModelProcessOptions extends ModelFolder {
  /** Further models that the process loads. */
  readonly companions: readonly ModelFolder[]
  readonly clock: Clock
  /**
   * Called once, when the process has ended.
   * @param problem why, unless it ended because it was not needed
   * @param output what the library wrote last; may contain paths
   */
  readonly onEnd: (problem: string | undefined, output: string) => void
}

/**
 * A process that loads one model, and ends with the cloud, on errors, when it does not answer for a minute, and after ten minutes
 * without use. Native code that crashes or hangs there costs what it was doing, and nothing else.
 */
export abstract class ModelProcess<Sent extends object, Received extends { readonly type: string }> {
  readonly model: SpeechModel
  readonly companions: readonly SpeechModel[]
  /** Resolves when the model is loaded; rejects with a sentence that says why it is not. */
  readonly loaded: Promise<void>
  readonly #child: ChildProcess
  readonly #clock: Clock
  readonly #onEnd: ModelProcessOptions['onEnd']
  readonly #settleLoaded: { resolve: () => void; reject: (error: Error) => void }
  readonly #loadTimer: Timer
  #idleTimer: Timer | undefined
  #pingTimer: Timer | undefined
  /** Questions since the last message of the process. */
  #pings = 0
  #reserved = 0
  #output = ''
  #isLoaded = false
  #hasEnded = false

  /** @param program file beside this one, without its extension */
  constructor(program: string, { model, folder, companions, clock, onEnd }: ModelProcessOptions) {
    this.model = model
    this.companions = companions.map((companion) => companion.model)
    this.#clock = clock
    this.#onEnd = onEnd
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.loaded = promise
    // Those that wait for it handle the rejection.
    promise.catch(() => {})
    this.#settleLoaded = { resolve, reject }
    this.#child = fork(programPath(program), [], {
      execArgv: [],
      // No secret of the cloud is in the environment of native code.
      env: {},
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    this.#child.stderr?.on('data', (chunk: Buffer) => {
      this.#output = (this.#output + chunk.toString()).slice(-MAX_OUTPUT)
    })
    this.#child.on('message', (message: Received | ProgramMessage) => this.#receive(message))
    this.#child.on('error', (error) => this.#end(error.message))
    this.#child.on('exit', (code, signal) => this.#end(describeEnd(code, signal)))
    this.#loadTimer = clock.after(LOAD_TIMEOUT_MS, () => this.end('its model does not load in time'))
    this.#post({ type: 'load', model, folder, companions })
  }

  /** Receives each message of the program but `failed` and `pong`. */
  protected abstract receive(message: Received): void

  /** Called once, when the process has ended. @param message a sentence that says why */
  protected abstract ended(message: string): void

  /** Returns what the log may contain of the last line that the library wrote. */
  protected loggable(output: string): string {
    return output
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  /** Whether its model is loaded, and it has not ended. */
  get isReady(): boolean {
    return this.#isLoaded && !this.#hasEnded
  }

  /** Places that are taken. */
  get reserved(): number {
    return this.#reserved
  }

  /** Takes a place, so that the process does not end for want of use. @returns gives it up */
  reserve(): () => void {
    this.#reserved += 1
    this.#idleTimer?.cancel()
    if (this.#reserved === 1) this.#watch()
    let isReserved = true
    return () => {
      if (!isReserved) return
      isReserved = false
      this.#reserved -= 1
      if (this.#reserved === 0) this.#pingTimer?.cancel()
      this.#endIfUnused()
    }
  }

  send(message: Sent): void {
    this.#post(message)
  }

  /** Ends the process. @param problem why */
  end(problem: string | undefined): void {
    this.#end(problem)
    this.#child.kill('SIGKILL')
  }

  #post(message: object): void {
    if (!this.#hasEnded && this.#child.connected) this.#child.send(message, () => {})
  }

  #receive(message: Received | ProgramMessage): void {
    if (this.#hasEnded) return
    this.#pings = 0
    if (message.type === 'pong') return
    if (isFailure(message)) return this.end(message.message)
    this.receive(message as Received)
    if (message.type !== 'loaded') return
    this.#isLoaded = true
    this.#loadTimer.cancel()
    this.#endIfUnused()
    this.#settleLoaded.resolve()
  }

  /** Ends the process if it does not answer while it is used. Loading has a limit of its own. */
  #watch(): void {
    this.#pings = 0
    const ping = () => {
      if (this.#hasEnded) return
      if (this.#pings >= MAX_PINGS) return this.end('its process does not answer')
      if (this.#isLoaded) {
        this.#pings += 1
        this.#post({ type: 'ping' } satisfies PingMessage)
      }
      this.#pingTimer = this.#clock.after(PING_MS, ping)
    }
    this.#pingTimer = this.#clock.after(PING_MS, ping)
  }

  #endIfUnused(): void {
    if (this.#reserved > 0 || this.#hasEnded) return
    this.#idleTimer = this.#clock.after(IDLE_MS, () => this.end(undefined))
  }

  #end(problem: string | undefined): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#loadTimer.cancel()
    this.#idleTimer?.cancel()
    this.#pingTimer?.cancel()
    const message = `${this.model.id}: ${problem ?? 'its process was ended'}`
    this.#settleLoaded.reject(new Error(message))
    this.ended(message)
    this.#onEnd(problem, this.loggable(this.#output.trim().split('\n').at(-1) ?? ''))
  }
}

function isFailure(message: { readonly type: string }): message is ProgramMessage & { type: 'failed' } {
  return message.type === 'failed'
}

/** In a bundle a program is a file of its own beside the chunks. */
function programPath(name: string): string {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'mjs'
  return fileURLToPath(new URL(`${name}.${extension}`, import.meta.url))
}

/**
 * Runs the program of a model process: receives the messages of the cloud, answers whether it works, and ends with the
 * cloud or when a message cannot be processed.
 * @param receive processes a message; an error that it throws is reported
 */
export function runModelProgram<Message extends { readonly type: string }>(
  receive: (message: Message | LoadMessage) => void,
): void {
  endWithCloud()
  const send = (message: ProgramMessage) => process.send?.(message)
  process.on('message', (message: Message | LoadMessage | PingMessage) => {
    if (isPing(message)) return void send({ type: 'pong' })
    try {
      receive(message)
    } catch (error) {
      send({ type: 'failed', message: error instanceof Error ? error.message : String(error) })
      process.disconnect?.()
    }
  })
}

function isPing(message: { readonly type: string }): message is PingMessage {
  return message.type === 'ping'
}
