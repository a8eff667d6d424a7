import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { SpeechFailure, SpeechListener, SpeechStream } from '../../session/index.ts'
import type { Clock, Timer } from '../../time/index.ts'
import type { SpeechModel } from '../speech-models/index.ts'
import { MAX_WAITING_BYTES } from '../stt/speech-to-text.ts'
import type { FromRecognizer, RecognizerLoad, ToRecognizer } from './messages.ts'

/** In a bundle the program is a file of its own beside the chunks. */
const PROGRAM = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? 'recognizer-main.ts' : 'recognizer-main.mjs', import.meta.url),
)

/** Limit for loading a model: the largest ones are read from a slow disk. */
const LOAD_TIMEOUT_MS = 60_000
/** Time without streams after which the process ends, so that its memory is free. */
const IDLE_MS = 10 * 60_000
/** Characters of what the library wrote that explain the end of a process. */
const MAX_OUTPUT = 500

export interface RecognizerProcessOptions {
  readonly model: SpeechModel
  readonly folder: string
  readonly clock: Clock
  /** Called once, when the process has ended. @param problem why, unless it ended because it was not needed */
  readonly onEnd: (problem: string | undefined) => void
}

/** A process that recognizes with one model (`recognizer-main.ts`), and its streams. */
export class RecognizerProcess {
  readonly model: SpeechModel
  /** Resolves when the model is loaded; rejects with a sentence that says why it is not. */
  readonly loaded: Promise<void>
  readonly #child: ChildProcess
  readonly #clock: Clock
  readonly #onEnd: RecognizerProcessOptions['onEnd']
  readonly #streams = new Map<number, ProcessStream>()
  readonly #settleLoaded: { resolve: () => void; reject: (error: Error) => void }
  readonly #loadTimer: Timer
  #idleTimer: Timer | undefined
  #load: RecognizerLoad | undefined
  #reserved = 0
  #nextStream = 1
  #output = ''
  #hasEnded = false

  constructor({ model, folder, clock, onEnd }: RecognizerProcessOptions) {
    this.model = model
    this.#clock = clock
    this.#onEnd = onEnd
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.loaded = promise
    // Those that wait for it handle the rejection.
    promise.catch(() => {})
    this.#settleLoaded = { resolve, reject }
    this.#child = fork(PROGRAM, [], {
      execArgv: [],
      // No secret of the cloud is in the environment of native code.
      env: {},
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    this.#child.stderr?.on('data', (chunk: Buffer) => {
      this.#output = (this.#output + chunk.toString()).slice(-MAX_OUTPUT)
    })
    this.#child.on('message', (message: FromRecognizer) => this.#receive(message))
    this.#child.on('error', (error) => this.#end(error.message))
    this.#child.on('exit', (code, signal) => this.#end(this.#describeExit(code, signal)))
    this.#loadTimer = clock.after(LOAD_TIMEOUT_MS, () => this.end('its model does not load in time'))
    this.#send({ type: 'load', model, folder })
  }

  /** Places that are taken. */
  get streams(): number {
    return this.#reserved
  }

  /** Undefined while the model is being loaded. */
  get load(): RecognizerLoad | undefined {
    return this.#load
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  /** Whether its model is loaded, and it can take another stream. */
  get hasRoom(): boolean {
    return !this.#hasEnded && this.#reserved < (this.#load?.capacity ?? 0)
  }

  /** Takes a place for a stream. @returns gives it up */
  reserve(): () => void {
    this.#reserved += 1
    this.#idleTimer?.cancel()
    let isReserved = true
    return () => {
      if (!isReserved) return
      isReserved = false
      this.#reserved -= 1
      if (this.#reserved === 0 && !this.#hasEnded)
        this.#idleTimer = this.#clock.after(IDLE_MS, () => this.end(undefined))
    }
  }

  /**
   * Opens a stream, once the model is loaded.
   * @param language code to recognize; undefined to detect it
   */
  open(language: string | undefined, listener: SpeechListener): SpeechStream {
    const id = this.#nextStream
    this.#nextStream += 1
    const stream: ProcessStream = { listener, waitingBytes: 0 }
    this.#streams.set(id, stream)
    this.#send({ type: 'open', stream: id, language })
    return {
      push: (pcm) => {
        if (!this.#streams.has(id)) return
        stream.waitingBytes += pcm.byteLength
        this.#send({ type: 'audio', stream: id, pcm })
        if (stream.waitingBytes > MAX_WAITING_BYTES) this.#failLater(id, 'does not keep up with the speech')
      },
      finalize: () => {
        if (this.#streams.has(id)) this.#send({ type: 'finalize', stream: id })
      },
      close: () => {
        if (this.#streams.delete(id)) this.#send({ type: 'close', stream: id })
      },
    }
  }

  /** Ends the process; its streams fail. @param problem why */
  end(problem: string | undefined): void {
    this.#end(problem)
    this.#child.kill('SIGKILL')
  }

  #receive(message: FromRecognizer): void {
    switch (message.type) {
      case 'loaded':
        this.#load = message
        this.#loadTimer.cancel()
        return this.#settleLoaded.resolve()
      case 'load':
        this.#load = message
        return
      case 'failed':
        return this.end(message.message)
    }
    const stream = this.#streams.get(message.stream)
    if (!stream) return
    if (message.type === 'segment') stream.listener.segment(message.segment)
    else if (message.type === 'finalized') stream.listener.finalized()
    else stream.waitingBytes -= message.bytes
  }

  #send(message: ToRecognizer): void {
    if (!this.#hasEnded && this.#child.connected) this.#child.send(message, () => {})
  }

  #failLater(id: number, what: string): void {
    const stream = this.#streams.get(id)
    if (!stream) return
    this.#streams.delete(id)
    this.#send({ type: 'close', stream: id })
    setImmediate(() => stream.listener.failed(failureOf(this.model, what)))
  }

  #describeExit(code: number | null, signal: NodeJS.Signals | null): string {
    const output = this.#output.trim().split('\n').at(-1) ?? ''
    return `its process ended with ${signal ?? code}${output === '' ? '' : ` (${output})`}`
  }

  #end(problem: string | undefined): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#loadTimer.cancel()
    this.#idleTimer?.cancel()
    this.#settleLoaded.reject(new Error(problem ?? 'the recognizer was ended'))
    const streams = [...this.#streams.values()]
    this.#streams.clear()
    // Not during a call of a stream.
    setImmediate(() => {
      for (const { listener } of streams) listener.failed(failureOf(this.model, problem ?? 'was ended'))
    })
    this.#onEnd(problem)
  }
}

interface ProcessStream {
  readonly listener: SpeechListener
  /** Audio that the process has not taken yet. */
  waitingBytes: number
}

function failureOf({ id }: SpeechModel, what: string): SpeechFailure {
  return { kind: 'retryable', message: `local: ${id} ${what}` }
}
