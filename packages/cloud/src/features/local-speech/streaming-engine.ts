import type { OnlineRecognizer, OnlineStream } from 'sherpa-onnx-node'
import type { SpeechSegment } from '../../session/index.ts'
import {
  BYTES_PER_MS,
  joined,
  type RecognitionEngine,
  type RecognitionEvents,
  readableText,
  SAMPLE_RATE,
  toSamples,
} from './recognition-engine.ts'
import type { ResultAnalysis } from './result-analysis.ts'
import { measureTail } from './tail.ts'
import type { WorkMeter } from './work-meter.ts'

/** Streams that are decoded together. More take turns. */
const MAX_BATCH = 8

interface Stream {
  readonly queue: (Uint8Array | 'finalize')[]
  utterance: Utterance
  /** Number of utterances. */
  count: number
  /** Audio that was accepted. */
  bytes: number
}

interface Utterance {
  readonly native: OnlineStream
  readonly number: number
  readonly startBytes: number
  /** Whether its audio has ended. */
  isEnding: boolean
  /** Its audio, if speakers are told apart. */
  readonly samples: Float32Array[]
  text: string
}

export interface StreamingEngineDeps {
  readonly recognizer: OnlineRecognizer
  readonly language: string | undefined
  readonly analysis: ResultAnalysis
  readonly meter: WorkMeter
  readonly events: RecognitionEvents
}

/** Recognizes with a streaming model: words appear while they are spoken. */
export class StreamingEngine implements RecognitionEngine {
  readonly #deps: StreamingEngineDeps
  readonly #streams = new Map<number, Stream>()
  /** Silence after an utterance, so that the model completes its last word. */
  readonly #tail: Float32Array

  /** @param deps.language the language of the model, if it has only one */
  constructor(deps: StreamingEngineDeps) {
    this.#deps = deps
    const { recognizer } = deps
    this.#tail = measureTail(recognizer.createStream(), (stream) => recognizer.isReady(stream))
  }

  open(id: number): void {
    this.#streams.set(id, { queue: [], utterance: this.#begin(0, 0), count: 0, bytes: 0 })
  }

  push(id: number, pcm: Uint8Array): void {
    this.#streams.get(id)?.queue.push(pcm)
  }

  finalize(id: number): void {
    this.#streams.get(id)?.queue.push('finalize')
  }

  close(id: number): void {
    this.#streams.delete(id)
  }

  step(): number | undefined {
    for (const [id, stream] of this.#streams) this.#feed(id, stream)
    const ready = [...this.#streams]
      .filter(([, { utterance }]) => this.#isReady(utterance))
      .slice(0, MAX_BATCH)
    if (ready.length > 0) this.#decode(ready)
    let hasEnded = false
    for (const [id, stream] of this.#streams) {
      if (!stream.utterance.isEnding || this.#isReady(stream.utterance)) continue
      this.#end(id, stream)
      hasEnded = true
    }
    return ready.length > 0 || hasEnded ? 0 : undefined
  }

  /** Gives an utterance its audio, up to its end. */
  #feed(id: number, stream: Stream): void {
    const { events, meter, analysis } = this.#deps
    const { queue, utterance } = stream
    while (!utterance.isEnding) {
      const next = queue.shift()
      if (next === undefined) return
      if (next === 'finalize') {
        if (stream.bytes === utterance.startBytes) events.finalized(id)
        else this.#endAudio(utterance)
        continue
      }
      const samples = toSamples(next)
      utterance.native.acceptWaveform({ samples, sampleRate: SAMPLE_RATE })
      if (analysis.hasSpeakers) utterance.samples.push(samples)
      stream.bytes += next.byteLength
      meter.addAudio(next.byteLength / BYTES_PER_MS)
      events.consumed(id, next.byteLength)
    }
  }

  #endAudio(utterance: Utterance): void {
    utterance.isEnding = true
    utterance.native.acceptWaveform({ samples: this.#tail, sampleRate: SAMPLE_RATE })
    utterance.native.inputFinished()
  }

  #decode(ready: readonly [number, Stream][]): void {
    const { meter, recognizer } = this.#deps
    meter.work(() => recognizer.decodeStreams(ready.map(([, { utterance }]) => utterance.native)))
    for (const [id, stream] of ready) {
      // Those that were decoded are the last to be decoded again.
      this.#streams.delete(id)
      this.#streams.set(id, stream)
      const { utterance } = stream
      if (utterance.isEnding) continue
      const { text } = this.#result(utterance)
      if (text === '' || text === utterance.text) continue
      utterance.text = text
      this.#report(id, stream, false)
    }
  }

  #end(id: number, stream: Stream): void {
    stream.utterance.text = this.#result(stream.utterance).text
    if (stream.utterance.text !== '') this.#report(id, stream, true)
    stream.count += 1
    stream.utterance = this.#begin(stream.count, stream.bytes)
    this.#deps.events.finalized(id)
  }

  #report(id: number, { utterance, bytes }: Stream, isFinal: boolean): void {
    const { language, analysis, events } = this.#deps
    const startMs = utterance.startBytes / BYTES_PER_MS
    const endMs = bytes / BYTES_PER_MS
    const segment: SpeechSegment = {
      utteranceId: `u${utterance.number}`,
      text: analysis.punctuate(utterance.text, language),
      isFinal,
      startMs: Math.min(endMs, startMs + this.#result(utterance).startMs),
      endMs,
      ...(language === undefined ? {} : { language }),
    }
    events.segment(id, segment, isFinal ? analysis.voiceOf(joined(utterance.samples)) : undefined)
  }

  #begin(number: number, startBytes: number): Utterance {
    return {
      native: this.#deps.recognizer.createStream(),
      number,
      startBytes,
      isEnding: false,
      samples: [],
      text: '',
    }
  }

  #isReady({ native }: Utterance): boolean {
    return this.#deps.recognizer.isReady(native)
  }

  #result({ native }: Utterance): { readonly text: string; readonly startMs: number } {
    const { text, timestamps = [] } = this.#deps.recognizer.getResult(native)
    return { text: readableText(text), startMs: (timestamps[0] ?? 0) * 1_000 }
  }
}
