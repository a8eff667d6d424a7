import type { Clock } from '../../time/index.ts'
import type {
  SessionSpeech,
  SpeechFailure,
  SpeechFailureKind,
  SpeechListener,
  SpeechOptions,
  SpeechProvider,
  SpeechStream,
  WakeWordListener,
  WakeWordSpotter,
  WakeWordStream,
} from '../parts/speech/port.ts'
import { CodedRecognizer, type CodedWord } from './coded-speech.ts'

/** A modelled provider that recognizes coded speech, and fails when it is told to. */
export class CodedProvider implements SpeechProvider {
  readonly name: string
  readonly translates: boolean
  readonly finalizeTimeoutMs = 5_000
  /** Time after which a rejected key is tried again. */
  keyRetryMs = 60_000
  #rejectedUntil = 0
  /** Delay until a stream is ready; undefined: never. */
  openDelayMs: number | undefined = 50
  /** Delay of results. */
  latencyMs = 20
  /** How attempts to open a stream fail; undefined: they succeed. */
  openFailure: SpeechFailureKind | undefined
  /** Whether it can recognize at all. Changed by `CodedSpeechPort.setInstalled`. */
  isInstalled = true
  /** Languages; empty: all. */
  languages: readonly string[] = []
  readonly streams = new Set<CodedStream>()
  readonly opened: SpeechOptions[] = []
  receivedBytes = 0
  readonly #clock: Clock

  constructor(name: string, clock: Clock, { translates = false } = {}) {
    this.name = name
    this.#clock = clock
    this.translates = translates
  }

  get rejectedForMs(): number {
    return Math.max(0, this.#rejectedUntil - this.#clock.monotonicNow())
  }

  reject(): void {
    this.#rejectedUntil = this.#clock.monotonicNow() + this.keyRetryMs
  }

  supports(language: string): boolean {
    return this.isInstalled && (this.languages.length === 0 || this.languages.includes(language))
  }

  open(options: SpeechOptions, listener: SpeechListener): SpeechStream {
    const stream = new CodedStream(this, this.#clock, options, listener)
    this.opened.push(options)
    this.streams.add(stream)
    const { openFailure, openDelayMs } = this
    if (openFailure !== undefined) stream.later(() => stream.fail(openFailure))
    else if (openDelayMs !== undefined) stream.later(() => listener.ready(), openDelayMs)
    return stream
  }

  /** Makes all open streams accept audio without any response. */
  stall(): void {
    for (const stream of this.streams) stream.isStalled = true
  }

  /** Breaks all streams. */
  drop(kind: SpeechFailureKind = 'retryable'): void {
    for (const stream of [...this.streams]) stream.fail(kind)
  }
}

class CodedStream implements SpeechStream {
  isStalled = false
  readonly #provider: CodedProvider
  readonly #clock: Clock
  readonly #options: SpeechOptions
  readonly #listener: SpeechListener
  readonly #recognizer = new CodedRecognizer()
  #utterances = 0
  #isOpen = true

  constructor(provider: CodedProvider, clock: Clock, options: SpeechOptions, listener: SpeechListener) {
    this.#provider = provider
    this.#clock = clock
    this.#options = options
    this.#listener = listener
  }

  push(pcm: Uint8Array): void {
    if (!this.#isOpen) throw new Error('audio after the end of the stream')
    this.#provider.receivedBytes += pcm.byteLength
    const { words, ended } = this.#recognizer.push(pcm)
    if (this.isStalled) return
    for (const utterance of ended) this.#report(utterance, true)
    if (words.length > 0) this.#report([...words], false)
  }

  finalize(): void {
    if (this.isStalled) return
    const words = this.#recognizer.finish()
    if (words.length > 0) this.#report(words, true)
    this.later(() => this.#listener.finalized())
  }

  close(): void {
    this.#isOpen = false
    this.#provider.streams.delete(this)
  }

  fail(kind: SpeechFailureKind): void {
    if (!this.#isOpen) return
    this.close()
    const failure: SpeechFailure = { kind, message: `${this.#provider.name} failed` }
    if (kind === 'authentication') this.#provider.reject()
    this.#listener.failed(failure)
  }

  /** Runs a task after the latency of the provider, if the stream is still open. */
  later(task: () => void, ms = this.#provider.latencyMs): void {
    this.#clock.after(ms, () => {
      if (this.#isOpen) task()
    })
  }

  #report(words: readonly CodedWord[], isFinal: boolean): void {
    const utteranceId = `u${this.#utterances}`
    if (isFinal) this.#utterances += 1
    const text = words.map((word) => word.text).join(' ')
    const { translateTo } = this.#options
    const segment = {
      utteranceId,
      text,
      isFinal,
      startMs: words[0]?.startMs ?? 0,
      endMs: words.at(-1)?.endMs ?? 0,
      language: 'en',
      confidence: 0.9,
      ...(translateTo === undefined ? {} : { translation: text.toUpperCase() }),
    }
    this.later(() => this.#listener.segment(segment))
  }
}

/** A modelled spotter that detects phrases of coded words at the end of the speech, and fails when it is told to. */
export class CodedSpotter implements WakeWordSpotter {
  /** Whether it has a model. Changed by `CodedSpeechPort.setSpotterInstalled`. */
  isInstalled = true
  /** Words that its model cannot spell. */
  unspelled: readonly string[] = []
  /** How attempts to open a stream fail; undefined: they succeed. */
  openFailure: SpeechFailureKind | undefined
  readonly streams = new Set<{ fail(kind: SpeechFailureKind): void }>()
  receivedBytes = 0
  readonly #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
  }

  supports(language: string): boolean {
    return this.isInstalled && language.startsWith('en-')
  }

  open({ phrases }: { readonly phrases: readonly string[] }, listener: WakeWordListener): WakeWordStream {
    const recognizer = new CodedRecognizer()
    const words: CodedWord[] = []
    const unspelled = phrases.filter((phrase) =>
      phrase.split(' ').some((word) => this.unspelled.includes(word)),
    )
    const known = phrases.filter((phrase) => !unspelled.includes(phrase))
    const close = () => void this.streams.delete(stream)
    const later = (task: () => void, ms: number) =>
      this.#clock.after(ms, () => {
        if (this.streams.has(stream)) task()
      })
    const stream = {
      fail: (kind: SpeechFailureKind) => {
        close()
        listener.failed({ kind, message: 'spotter failed' })
      },
    }
    this.streams.add(stream)
    const { openFailure } = this
    later(() => (openFailure === undefined ? listener.ready(unspelled) : stream.fail(openFailure)), 50)
    return {
      push: (pcm) => {
        this.receivedBytes += pcm.byteLength
        words.push(...recognizer.push(pcm).ended.flat())
      },
      pause: () => {
        words.push(...recognizer.finish())
        const text = words.splice(0).map((word) => word.text)
        const said = known.filter((phrase) => ` ${text.join(' ')} `.includes(` ${phrase} `))
        later(() => {
          for (const phrase of said) listener.detected(phrase)
        }, 20)
      },
      close,
    }
  }

  /** Breaks all streams. */
  drop(): void {
    for (const stream of [...this.streams]) stream.fail('retryable')
  }
}

/** The speech port of a session with modelled providers. */
export class CodedSpeechPort implements SessionSpeech {
  readonly providers: readonly SpeechProvider[]
  maxStreamsPerUser = 4
  freeStreams = 100
  readonly delays: number[] = []
  readonly failovers: string[] = []
  readonly listeners = new Set<() => void>()
  readonly translate?: NonNullable<SessionSpeech['translate']>
  readonly wakeWords?: CodedSpotter

  constructor(
    providers: readonly SpeechProvider[],
    translate?: SessionSpeech['translate'],
    wakeWords?: CodedSpotter,
  ) {
    this.providers = providers
    if (wakeWords) this.wakeWords = wakeWords
    if (translate) this.translate = translate
  }

  onInstalled(listener: () => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** Installs or removes what a provider needs. */
  setInstalled(provider: CodedProvider, isInstalled: boolean): void {
    provider.isInstalled = isInstalled
    if (!isInstalled) provider.drop()
    for (const listener of this.listeners) listener()
  }

  /** Installs or removes the model of the spotter. */
  setSpotterInstalled(isInstalled: boolean): void {
    if (!this.wakeWords) throw new Error('There is no spotter')
    this.wakeWords.isInstalled = isInstalled
    if (!isInstalled) this.wakeWords.drop()
    for (const listener of this.listeners) listener()
  }

  reserveStream(): (() => void) | undefined {
    if (this.freeStreams === 0) return undefined
    this.freeStreams -= 1
    return () => {
      this.freeStreams += 1
    }
  }

  recordDelay(_provider: string, ms: number): void {
    this.delays.push(ms)
  }

  recordFailover(from: string): void {
    this.failovers.push(from)
  }
}
