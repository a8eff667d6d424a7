import type { KeywordSpotter, OnlineStream } from 'sherpa-onnx-node'
import type { PhraseTokens } from './phrase-tokens.ts'
import { BYTES_PER_MS, SAMPLE_RATE, toSamples } from './recognition-engine.ts'
import { measureTail } from './tail.ts'
import type { WorkMeter } from './work-meter.ts'

/** What a keyword spotter reports of its streams. */
export interface SpottingEvents {
  /** @param unspelled phrases that cannot be spelled with the tokens of the model */
  opened(stream: number, unspelled: readonly string[]): void
  detected(stream: number, phrase: string): void
  /** Audio was taken from the queue of a stream. */
  consumed(stream: number, bytes: number): void
}

interface Stream {
  /** Phrases that can be detected; a keyword is named after its position. */
  readonly phrases: readonly string[]
  readonly keywords: string
  readonly queue: (Uint8Array | 'pause')[]
  native: OnlineStream
}

export interface SpottingEngineDeps {
  readonly spotter: Pick<KeywordSpotter, 'isReady' | 'decode' | 'getResult' | 'reset'>
  /** @param keywords tokens and name of each keyword, separated by slashes; unknown tokens end the process */
  readonly createStream: (keywords: string) => OnlineStream
  readonly tokens: PhraseTokens
  readonly meter: WorkMeter
  readonly events: SpottingEvents
}

/**
 * Detects the phrases of several streams with one model. Calls only queue; the work is done by `step`, in pieces that take turns, so that no
 * stream waits for the whole speech of another one.
 */
export class SpottingEngine {
  readonly #deps: SpottingEngineDeps
  readonly #streams = new Map<number, Stream>()
  /** Silence after speech, so that the model completes its last word; known with the first stream. */
  #tail: Float32Array | undefined

  constructor(deps: SpottingEngineDeps) {
    this.#deps = deps
  }

  open(id: number, phrases: readonly string[]): void {
    const { tokens, createStream, events } = this.#deps
    const spelled = phrases.flatMap((phrase) => {
      const spelling = tokens.spell(phrase)
      return spelling ? [{ phrase, spelling }] : []
    })
    const keywords = spelled.map(({ spelling }, index) => `${spelling.join(' ')} @${index}`).join('/')
    const known = spelled.map(({ phrase }) => phrase)
    this.#streams.set(id, { phrases: known, keywords, queue: [], native: createStream(keywords) })
    const unspelled = phrases.filter((phrase) => !known.includes(phrase))
    events.opened(id, unspelled)
  }

  /** @param pcm 16 kHz, 16 bit, mono, little-endian */
  push(id: number, pcm: Uint8Array): void {
    this.#streams.get(id)?.queue.push(pcm)
  }

  /** Ends the phrases that have begun. */
  pause(id: number): void {
    this.#streams.get(id)?.queue.push('pause')
  }

  close(id: number): void {
    this.#streams.delete(id)
  }

  /** Does one piece of the work of each stream. @returns 0 while there is more; undefined: not before the next call */
  step(): number | undefined {
    let hasWorked = false
    for (const [id, stream] of this.#streams) {
      if (!this.#deps.spotter.isReady(stream.native) && !this.#feed(id, stream)) continue
      hasWorked = true
      if (this.#deps.spotter.isReady(stream.native)) this.#decode(id, stream)
    }
    return hasWorked ? 0 : undefined
  }

  /** Gives a stream the next piece of its audio. @returns false if there is none */
  #feed(id: number, stream: Stream): boolean {
    const { spotter, createStream, meter, events } = this.#deps
    const next = stream.queue.shift()
    if (next === undefined) return false
    if (next !== 'pause') {
      stream.native.acceptWaveform({ samples: toSamples(next), sampleRate: SAMPLE_RATE })
      meter.addAudio(next.byteLength / BYTES_PER_MS)
      events.consumed(id, next.byteLength)
      return true
    }
    this.#tail ??= measureTail(createStream(stream.keywords), (native) => spotter.isReady(native))
    stream.native.acceptWaveform({ samples: this.#tail, sampleRate: SAMPLE_RATE })
    while (spotter.isReady(stream.native)) this.#decode(id, stream)
    // What is said next begins without what was said before.
    stream.native = createStream(stream.keywords)
    return true
  }

  #decode(id: number, { native, phrases }: Stream): void {
    const { spotter, meter, events } = this.#deps
    meter.work(() => spotter.decode(native))
    const { keyword } = spotter.getResult(native)
    if (keyword === '') return
    // Otherwise it would be the result again.
    spotter.reset(native)
    const phrase = phrases[Number(keyword)]
    if (phrase !== undefined) events.detected(id, phrase)
  }
}
