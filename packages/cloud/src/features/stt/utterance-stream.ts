import type { SpeechFailure, SpeechListener, SpeechSegment, SpeechStream } from '../../session/index.ts'
import { MAX_WAITING_BYTES, msOfBytes } from './speech-to-text.ts'

/** Utterances that wait for their text. */
const MAX_PENDING = 8

/** A segment of an utterance; positions are relative to its first audio. */
export type UtteranceSegment = Omit<SpeechSegment, 'utteranceId' | 'startMs' | 'endMs'> & {
  /** Default: the whole audio of the utterance. */
  readonly startMs?: number
  readonly endMs?: number
}

export interface UtteranceEvents {
  /** The connection can be used. */
  onReady(): void
  /** A final segment ends a part of the utterance; interim segments contain what follows it. */
  onSegment(segment: UtteranceSegment): void
  /** All audio up to `stop` is recognized. */
  onComplete(): void
  /** The connection was closed or failed before it was complete. */
  onFailed(failure: SpeechFailure): void
}

/** A connection for one utterance. Its events are never synchronous. */
export interface UtteranceConnection {
  /** Bytes that the provider has not read yet. */
  readonly waitingBytes: number
  send(pcm: Uint8Array): void
  /** Ends the audio. */
  stop(): void
  /** Releases the connection. Idempotent; no events follow. */
  close(): void
}

interface Utterance {
  readonly connection: UtteranceConnection
  readonly number: number
  /** Number of final segments. */
  parts: number
  startBytes: number | undefined
  endBytes: number | undefined
  isComplete: boolean
  /** Segments that wait for those of an earlier utterance. */
  readonly waiting: SpeechSegment[]
}

/**
 * A stream to a provider that recognizes one utterance for each connection. The next utterance has its own connection,
 * so it may be spoken before the text of the last one is received. Texts are reported in order.
 */
export class UtteranceStream implements SpeechStream {
  readonly #connect: (events: UtteranceEvents, isFirst: boolean) => UtteranceConnection
  readonly #listener: SpeechListener
  readonly #name: string
  /** What `finalize` was called for, oldest first; undefined if there was no audio. */
  readonly #pending: (Utterance | undefined)[] = []
  /** Receives the audio that follows. */
  #current: Utterance | undefined
  #count = 0
  #bytes = 0
  #isReady = false
  #isClosed = false

  /** @param name name for failure messages */
  constructor(
    name: string,
    connect: (events: UtteranceEvents, isFirst: boolean) => UtteranceConnection,
    listener: SpeechListener,
  ) {
    this.#name = name
    this.#connect = connect
    this.#listener = listener
    this.#current = this.#open()
  }

  push(pcm: Uint8Array): void {
    if (this.#isClosed) return
    this.#current ??= this.#open()
    this.#current.startBytes ??= this.#bytes
    this.#current.connection.send(pcm)
    this.#bytes += pcm.byteLength
    if (this.#current.connection.waitingBytes > MAX_WAITING_BYTES) this.#fail('does not read the audio')
  }

  finalize(): void {
    if (this.#isClosed) return
    const current = this.#current
    const utterance = current?.startBytes === undefined ? undefined : current
    if (utterance) {
      utterance.endBytes = this.#bytes
      utterance.connection.stop()
      this.#current = undefined
    }
    this.#pending.push(utterance)
    if (this.#pending.length > MAX_PENDING) this.#fail('does not return the text')
    else setImmediate(() => this.#report())
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#current?.connection.close()
    for (const utterance of this.#pending) utterance?.connection.close()
  }

  #open(): Utterance {
    this.#count += 1
    const events: UtteranceEvents = {
      onReady: () => this.#onReady(),
      onSegment: (segment) => this.#onSegment(utterance, segment),
      onComplete: () => {
        utterance.isComplete = true
        utterance.connection.close()
        this.#report()
      },
      onFailed: (failure) => this.#onFailed(utterance, failure),
    }
    const utterance: Utterance = {
      connection: this.#connect(events, !this.#isReady),
      number: this.#count,
      parts: 0,
      startBytes: undefined,
      endBytes: undefined,
      isComplete: false,
      waiting: [],
    }
    return utterance
  }

  #onReady(): void {
    if (this.#isReady || this.#isClosed) return
    this.#isReady = true
    this.#listener.ready()
  }

  #onSegment(utterance: Utterance, { startMs, endMs, ...segment }: UtteranceSegment): void {
    if (this.#isClosed || segment.text === '') return
    const base = msOfBytes(utterance.startBytes ?? this.#bytes)
    const complete: SpeechSegment = {
      ...segment,
      utteranceId: `u${utterance.number}.${utterance.parts}`,
      startMs: startMs === undefined ? base : base + startMs,
      endMs: endMs === undefined ? msOfBytes(utterance.endBytes ?? this.#bytes) : base + endMs,
    }
    if (segment.isFinal) utterance.parts += 1
    const oldest = this.#pending.find((pending) => pending !== undefined) ?? this.#current
    if (utterance === oldest) this.#listener.segment(complete)
    else if (segment.isFinal) utterance.waiting.push(complete)
  }

  #onFailed(utterance: Utterance, failure: SpeechFailure): void {
    if (this.#isClosed || utterance.isComplete) return
    // A provider may close a connection that is not in use yet.
    const isUnused = utterance === this.#current && this.#isReady && utterance.startBytes === undefined
    if (isUnused) this.#current = undefined
    else this.#failWith(failure)
  }

  /** Reports the utterances that are complete, in order. */
  #report(): void {
    while (this.#pending.length > 0 && !this.#isClosed) {
      const [utterance] = this.#pending
      for (const segment of utterance?.waiting.splice(0) ?? []) this.#listener.segment(segment)
      if (this.#isClosed || (utterance && !utterance.isComplete)) return
      this.#pending.shift()
      this.#listener.finalized()
    }
    if (!this.#isClosed) {
      for (const segment of this.#current?.waiting.splice(0) ?? []) this.#listener.segment(segment)
      // The first words of the next utterance do not wait for the connection.
      this.#current ??= this.#open()
    }
  }

  /** Reports a failure after the call of the session, which receives no events during it. */
  #fail(what: string): void {
    setImmediate(() => this.#failWith({ kind: 'retryable', message: `${this.#name} ${what}` }))
  }

  #failWith(failure: SpeechFailure): void {
    if (this.#isClosed) return
    this.close()
    this.#listener.failed(failure)
  }
}
