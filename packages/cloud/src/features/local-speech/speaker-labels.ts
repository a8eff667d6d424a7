/** Cosine of the angle between two voices from which on they are taken for one. */
const MIN_SIMILARITY = 0.6
/** Speakers of a session; a further voice gets the label of the most similar one. */
const MAX_SPEAKERS = 20

interface Speaker {
  /** Sum of the vectors of what the speaker said. */
  readonly sum: Float32Array
}

/** Names the voices of a session in the order in which they are first heard: `1`, `2`, … */
export class SpeakerLabels {
  readonly #speakers: Speaker[] = []

  /** @param voice vector of an utterance. @returns undefined for a vector without a direction, as of silence */
  labelOf(voice: Float32Array): string | undefined {
    if (lengthOf(voice) === 0) return undefined
    const similarities = this.#speakers.map(({ sum }) => similarity(sum, voice))
    const best = similarities.indexOf(Math.max(...similarities))
    const isKnown = (similarities[best] ?? 0) >= MIN_SIMILARITY || this.#speakers.length >= MAX_SPEAKERS
    const index = isKnown ? best : this.#speakers.push({ sum: new Float32Array(voice.length) }) - 1
    const sum = this.#speakers[index]?.sum
    const length = lengthOf(voice)
    for (const [at, value] of voice.entries()) if (sum) sum[at] = (sum[at] ?? 0) + value / length
    return String(index + 1)
  }
}

function similarity(a: Float32Array, b: Float32Array): number {
  return dot(a, b) / (lengthOf(a) * lengthOf(b))
}

function lengthOf(vector: Float32Array): number {
  return Math.sqrt(dot(vector, vector))
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let at = 0; at < a.length; at += 1) sum += (a[at] ?? 0) * (b[at] ?? 0)
  return sum
}
