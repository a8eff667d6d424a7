/**
 * Speech for tests: a word is a stretch of samples with a value that encodes its number, so that a simulated recognizer
 * can recognize it from the audio alone, in whatever pieces and from wherever the audio is sent to it.
 */
const WORD_MS = 260
const GAP_MS = 40
/** A stretch shorter than half a word is not recognized; an odd number of frames has no halves of equal length. */
const MIN_WORD_MS = WORD_MS / 2
const FIRST_VALUE = 1_000
const STEP = 8
/** Deviation of a sample, such as by resampling. */
const TOLERANCE = 3
/** Silence that ends an utterance. */
const ENDPOINT_MS = 400

/** The text of a word. */
function codedWord(number: number): string {
  return `w${number}`
}

/** PCM of words in one utterance, with a pause after it. */
export function codedSpeech(numbers: readonly number[], pauseMs = 0): Buffer {
  const samplesOf = (ms: number) => ms * 16
  const parts = numbers.map((number) => {
    const word = new Int16Array(samplesOf(WORD_MS + GAP_MS))
    word.fill(FIRST_VALUE + number * STEP, 0, samplesOf(WORD_MS))
    return Buffer.from(word.buffer)
  })
  return Buffer.concat([...parts, Buffer.alloc(samplesOf(pauseMs) * 2)])
}

/** A recognized word, with its position in the audio in milliseconds. */
export interface CodedWord {
  readonly text: string
  readonly startMs: number
  readonly endMs: number
}

/** What a piece of audio added. */
export interface CodedResult {
  /** The words of the utterance in progress. */
  readonly words: readonly CodedWord[]
  /** Utterances that a pause ended. */
  readonly ended: readonly (readonly CodedWord[])[]
}

/** Recognizes coded speech. */
export class CodedRecognizer {
  readonly #samplesPerMs: number
  #samples = 0
  #words: CodedWord[] = []
  #run: { readonly number: number; readonly start: number; counted: boolean } | undefined
  #silentSince = 0

  constructor(sampleRate = 16_000) {
    this.#samplesPerMs = sampleRate / 1_000
  }

  /** Length of the audio so far, in milliseconds. */
  get audioMs(): number {
    return this.#samples / this.#samplesPerMs
  }

  push(pcm: Uint8Array): CodedResult {
    const view = new DataView(pcm.buffer, pcm.byteOffset, pcm.byteLength)
    const ended: CodedWord[][] = []
    for (let at = 0; at + 1 < pcm.byteLength; at += 2) {
      this.#add(numberOf(view.getInt16(at, true)))
      this.#samples += 1
      const silentMs = (this.#samples - this.#silentSince) / this.#samplesPerMs
      if (this.#words.length > 0 && !this.#run && silentMs >= ENDPOINT_MS) ended.push(this.finish())
    }
    return { words: this.#words, ended }
  }

  /** Ends the utterance in progress. @returns its words */
  finish(): CodedWord[] {
    return this.#words.splice(0)
  }

  #add(number: number | undefined): void {
    const run = this.#run
    if (number !== run?.number) {
      this.#run = number === undefined ? undefined : { number, start: this.#samples, counted: false }
      if (number === undefined) this.#silentSince = this.#samples
      return
    }
    if (!run || run.counted) return
    const ms = (this.#samples - run.start) / this.#samplesPerMs
    if (ms < MIN_WORD_MS) return
    run.counted = true
    // The word ends where it is spoken to the end, which the audio has not reached yet.
    const startMs = run.start / this.#samplesPerMs
    this.#words.push({ text: codedWord(run.number), startMs, endMs: startMs + WORD_MS })
  }
}

function numberOf(sample: number): number | undefined {
  const number = Math.round((sample - FIRST_VALUE) / STEP)
  const isCode = number >= 0 && Math.abs(sample - FIRST_VALUE - number * STEP) <= TOLERANCE
  return isCode ? number : undefined
}
