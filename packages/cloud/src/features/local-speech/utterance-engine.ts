import type { OfflineRecognizer } from 'sherpa-onnx-node'
import type { SpeechSegment } from '../../session/index.ts'
import {
  BYTES_PER_MS,
  joined,
  type RecognitionEngine,
  type RecognitionEvents,
  readableText,
  resultLanguage,
  SAMPLE_RATE,
  toSamples,
} from './recognition-engine.ts'
import type { ResultAnalysis } from './result-analysis.ts'
import { silence } from './tail.ts'
import type { WorkMeter } from './work-meter.ts'

/** New audio of an utterance after which it is decoded again for interim text. */
const INTERIM_BYTES = 500 * BYTES_PER_MS
/** Pause after such a decoding, in multiples of its duration: interim text takes at most a fifth of the work. */
const INTERIM_PAUSE = 4
/** Silence after an utterance: models do not hear a word to its end if the sound ends with it. */
const TAIL = silence(300)
/** Shorter sound has no word, and none of the features that models need. */
const MIN_UTTERANCE_BYTES = 100 * BYTES_PER_MS
/** Whisper models take less than 30 s. The session ends utterances earlier. */
const MAX_UTTERANCE_BYTES = 28_000 * BYTES_PER_MS

interface Stream {
  readonly language: string | undefined
  readonly queue: (Uint8Array | 'finalize')[]
  utterance: Utterance
  bytes: number
}

interface Utterance {
  readonly number: number
  readonly startBytes: number
  readonly chunks: Uint8Array[]
  bytes: number
  /** Length when it was last decoded. */
  decodedBytes: number
  text: string
}

/** An utterance whose audio has ended. */
interface Ended {
  readonly id: number
  readonly stream: Stream
  readonly utterance: Utterance
  /** Whether it was ended by `finalize`. */
  readonly isRequested: boolean
}

export interface UtteranceEngineDeps {
  readonly recognizer: Omit<OfflineRecognizer, 'setConfig'>
  /** Lets the model recognize a language from now on; undefined: it detects it. */
  readonly setLanguage: (language: string | undefined) => void
  /** Of a model with one language. */
  readonly language: string | undefined
  readonly analysis: ResultAnalysis
  readonly meter: WorkMeter
  readonly events: RecognitionEvents
  /** Monotonic time in milliseconds. */
  readonly now: () => number
}

/**
 * Recognizes with a model that takes whole utterances. Ended utterances come first, in order; in between, the open ones are
 * decoded again and again for interim text.
 */
export class UtteranceEngine implements RecognitionEngine {
  readonly #deps: UtteranceEngineDeps
  readonly #streams = new Map<number, Stream>()
  #ended: Ended[] = []
  /** When interim text may be made again. */
  #interimAt = 0

  constructor(deps: UtteranceEngineDeps) {
    this.#deps = deps
  }

  open(id: number, language: string | undefined): void {
    this.#streams.set(id, { language, queue: [], utterance: newUtterance(0, 0), bytes: 0 })
  }

  push(id: number, pcm: Uint8Array): void {
    this.#streams.get(id)?.queue.push(pcm)
  }

  finalize(id: number): void {
    this.#streams.get(id)?.queue.push('finalize')
  }

  close(id: number): void {
    this.#streams.delete(id)
    this.#ended = this.#ended.filter((ended) => ended.id !== id)
  }

  step(): number | undefined {
    for (const [id, stream] of this.#streams) this.#feed(id, stream)
    const ended = this.#ended.shift()
    if (ended) {
      this.#complete(ended)
      return 0
    }
    return this.#decodeInterim()
  }

  #feed(id: number, stream: Stream): void {
    const { events, meter } = this.#deps
    for (const next of stream.queue.splice(0)) {
      if (next === 'finalize') {
        this.#end(id, stream, true)
        continue
      }
      const { utterance } = stream
      utterance.chunks.push(next)
      utterance.bytes += next.byteLength
      stream.bytes += next.byteLength
      meter.addAudio(next.byteLength / BYTES_PER_MS)
      events.consumed(id, next.byteLength)
      if (utterance.bytes >= MAX_UTTERANCE_BYTES) this.#end(id, stream, false)
    }
  }

  #end(id: number, stream: Stream, isRequested: boolean): void {
    const { utterance } = stream
    this.#ended.push({ id, stream, utterance, isRequested })
    stream.utterance = newUtterance(utterance.number + 1, stream.bytes)
  }

  #complete({ id, stream, utterance, isRequested }: Ended): void {
    if (utterance.bytes >= MIN_UTTERANCE_BYTES) this.#decode(id, stream, utterance, true)
    if (isRequested) this.#deps.events.finalized(id)
  }

  /** Decodes the open utterance that has waited longest, unless that must still pause. @returns as `step` does */
  #decodeInterim(): number | undefined {
    const { now } = this.#deps
    for (const [id, stream] of this.#streams) {
      const { utterance } = stream
      if (utterance.bytes - utterance.decodedBytes < INTERIM_BYTES) continue
      const pauseMs = this.#interimAt - now()
      if (pauseMs > 0) return pauseMs
      // The others come first next time.
      this.#streams.delete(id)
      this.#streams.set(id, stream)
      const durationMs = this.#decode(id, stream, utterance, false)
      this.#interimAt = now() + durationMs * INTERIM_PAUSE
      return 0
    }
    return undefined
  }

  /** @returns the duration in milliseconds */
  #decode(id: number, stream: Stream, utterance: Utterance, isFinal: boolean): number {
    const { recognizer, setLanguage, analysis, meter, events } = this.#deps
    setLanguage(stream.language)
    const native = recognizer.createStream()
    const samples = toSamples(Buffer.concat(utterance.chunks))
    native.acceptWaveform({ samples: joined([samples, TAIL]), sampleRate: SAMPLE_RATE })
    const durationMs = meter.work(() => recognizer.decode(native))
    utterance.decodedBytes = utterance.bytes
    const { text: raw, timestamps = [], lang } = recognizer.getResult(native)
    const text = readableText(raw)
    if (text === '' || (!isFinal && text === utterance.text)) return durationMs
    utterance.text = text
    const startMs = utterance.startBytes / BYTES_PER_MS
    const language = resultLanguage(lang) ?? stream.language ?? this.#deps.language
    const segment: SpeechSegment = {
      utteranceId: `u${utterance.number}`,
      text: analysis.punctuate(text, language),
      isFinal,
      startMs: startMs + Math.min((timestamps[0] ?? 0) * 1_000, utterance.bytes / BYTES_PER_MS),
      endMs: startMs + utterance.bytes / BYTES_PER_MS,
      ...(language === undefined ? {} : { language }),
    }
    events.segment(id, segment, isFinal ? analysis.voiceOf(samples) : undefined)
    return durationMs
  }
}

function newUtterance(number: number, startBytes: number): Utterance {
  return { number, startBytes, chunks: [], bytes: 0, decodedBytes: 0, text: '' }
}
