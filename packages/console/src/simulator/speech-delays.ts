/** Something that was said, with the times in which the lens showed an answer to it. */
export interface Utterance {
  readonly id: number
  /** Undefined for sound, whose words these glasses do not know. */
  readonly words: string | undefined
  /** Epoch ms of its begin. */
  readonly at: number
  /** From the first words or sound to the next content on the lens, in ms; undefined until there is any. */
  readonly interimMs: number | undefined
  /** From the final transcript or the last sound to the next content on the lens, in ms; undefined until there is any. */
  readonly finalMs: number | undefined
}

/** A transcript whose content has not been shown. */
interface Pending {
  readonly id: number
  readonly at: number
  readonly kind: 'interimMs' | 'finalMs'
}

const MAX_UTTERANCES = 20

/** Content that is shown later than this after the words does not belong to them, in ms. */
const MAX_DELAY_MS = 10_000

/** Silence after which another utterance begins, in ms. */
const PAUSE_MS = 700

/** Measures the time from spoken words to the content on the lens, from the frames of the glasses. */
export class SpeechDelays {
  #utterances: readonly Utterance[] = []
  #pending: readonly Pending[] = []
  /** The utterance that the next transcript continues. */
  #spoken: number | undefined
  /** The latest utterance of sound, and when it was last loud. */
  #sound: { readonly id: number; readonly loudAt: number } | undefined
  #nextId = 1

  /** The latest utterances, oldest first; a new list after each change. */
  get utterances(): readonly Utterance[] {
    return this.#utterances
  }

  /** Takes note of a transcript that the phone sent. */
  addTranscript(text: string, isFinal: boolean, at: number): void {
    const continued = this.#spoken
    const id = continued ?? this.#nextId++
    if (continued === undefined)
      this.#append({ id, words: text, at, interimMs: undefined, finalMs: undefined })
    else this.#update(id, () => ({ words: text }))
    this.#spoken = isFinal ? undefined : id
    if (isFinal) this.#pending = [...this.#pending, { id, at, kind: 'finalMs' }]
    else if (continued === undefined) this.#pending = [...this.#pending, { id, at, kind: 'interimMs' }]
  }

  /** Takes note of loud sound that was sent. */
  addSound(at: number): void {
    const sound = this.#sound
    if (sound === undefined || at - sound.loudAt > PAUSE_MS) {
      const id = this.#nextId++
      this.#append({ id, words: undefined, at, interimMs: undefined, finalMs: undefined })
      this.#sound = { id, loudAt: at }
    } else {
      // What was shown so far was not after the last sound.
      this.#update(sound.id, ({ finalMs }) => (finalMs === undefined ? undefined : { finalMs: undefined }))
      this.#sound = { id: sound.id, loudAt: at }
    }
  }

  /** Takes note of content that an app showed. */
  addDisplay(at: number): void {
    const sound = this.#sound
    if (sound !== undefined && at - sound.loudAt <= MAX_DELAY_MS)
      this.#update(sound.id, (utterance) => ({
        interimMs: utterance.interimMs ?? at - utterance.at,
        finalMs: utterance.finalMs ?? at - sound.loudAt,
      }))
    for (const pending of this.#pending) {
      const delayMs = at - pending.at
      if (delayMs <= MAX_DELAY_MS) this.#update(pending.id, () => ({ [pending.kind]: delayMs }))
    }
    this.#pending = []
  }

  #append(utterance: Utterance): void {
    this.#utterances = [...this.#utterances, utterance].slice(-MAX_UTTERANCES)
  }

  /** @param change returns what changes; undefined if nothing does */
  #update(id: number, change: (utterance: Utterance) => Partial<Utterance> | undefined): void {
    const index = this.#utterances.findIndex((utterance) => utterance.id === id)
    const utterance = this.#utterances[index]
    const changed = utterance && change(utterance)
    if (changed !== undefined)
      this.#utterances = this.#utterances.with(index, { ...utterance, ...changed } as Utterance)
  }
}

/** The middle and the largest of some delays; undefined without any. */
export function summarizeDelays(
  delays: readonly number[],
): { readonly median: number; readonly max: number } | undefined {
  const sorted = delays.toSorted((a, b) => a - b)
  const max = sorted.at(-1)
  const median = sorted[Math.floor((sorted.length - 1) / 2)]
  return max === undefined || median === undefined ? undefined : { median, max }
}
