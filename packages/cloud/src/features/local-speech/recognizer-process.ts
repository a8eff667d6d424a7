import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { SpeechListener, SpeechStream } from '../../session/index.ts'
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
  /** Streams at most, however fast it is. */
  readonly maxStreams: number | undefined
  /**
   * Called once, when the process has ended.
   * @param problem why, unless it ended because it was not needed
   * @param output what the library wrote last; may contain paths
   */
  readonly onEnd: (problem: string | undefined, output: string) => void
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
  readonly #maxStreams: number
  #load: RecognizerLoad | undefined
  #reserved = 0
  #nextStream = 1
  #output = ''
  #hasEnded = false

  constructor({
    model,
    folder,
    clock,
    maxStreams = Number.POSITIVE_INFINITY,
    onEnd,
  }: RecognizerProcessOptions) {
    this.model = model
    this.#clock = clock
    this.#maxStreams = maxStreams
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
    this.#child.on('exit', (code, signal) => this.#end(`its process ended with ${signal ?? code}`))
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
    return !this.#hasEnded && this.#reserved < Math.min(this.#maxStreams, this.#load?.capacity ?? 0)
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
        if (stream.waitingBytes > MAX_WAITING_BYTES)
          this.#failLater(id, 'it does not keep up with the speech')
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
    const message = `local: ${this.model.id}: ${what}`
    setImmediate(() => stream.listener.failed({ kind: 'retryable', message }))
  }

  #end(problem: string | undefined): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#loadTimer.cancel()
    this.#idleTimer?.cancel()
    const message = `${this.model.id}: ${problem ?? 'the recognizer was ended'}`
    this.#settleLoaded.reject(new Error(message))
    const streams = [...this.#streams.values()]
    this.#streams.clear()
    // Not during a call of a stream.
    setImmediate(() => {
      for (const { listener } of streams) listener.failed({ kind: 'retryable', message: `local: ${message}` })
    })
    this.#onEnd(problem, this.#output.trim().split('\n').at(-1) ?? '')
  }
}

interface ProcessStream {
  readonly listener: SpeechListener
  /** Audio that the process has not taken yet. */
  waitingBytes: number
}
