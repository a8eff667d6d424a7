/** Returns pseudo-random numbers from 0 to below 1, the same for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Bytes at which readers tend to decide differently. */
const INTERESTING_BYTES = [
  0, 1, 2, 3, 8, 9, 10, 13, 32, 34, 44, 47, 58, 91, 92, 93, 123, 125, 127, 128, 254, 255,
]

const INTERESTING_NUMBERS = [
  0, 1, 2, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0xffffff, 0x7fffffff, 0x80000000, 0xffffffff,
]

export interface MutatorOptions {
  readonly random: () => number
  readonly dictionary: readonly Buffer[]
  readonly maxBytes: number
}

/** Makes inputs from others. */
export class Mutator {
  readonly #options: MutatorOptions

  constructor(options: MutatorOptions) {
    this.#options = options
  }

  /** Returns a changed input. @param pick returns any input, parts of which are inserted */
  mutate(input: Buffer, pick: () => Buffer): Buffer {
    let mutated: Buffer = Buffer.from(input)
    for (let left = 1 + this.#below(1 << this.#below(4)); left > 0; left -= 1)
      mutated = this.#mutateOnce(mutated, pick).subarray(0, this.#options.maxBytes)
    return mutated
  }

  #mutateOnce(input: Buffer, pick: () => Buffer): Buffer {
    const at = this.#below(input.length + 1)
    const length = 1 + this.#below(Math.min(this.#below(2) === 0 ? 4 : 64, Math.max(1, input.length - at)))
    const before = input.subarray(0, at)
    switch (this.#below(9)) {
      case 0: // Flips a bit.
        if (at < input.length) input[at] = (input[at] ?? 0) ^ (1 << this.#below(8))
        return input
      case 1: // Replaces a byte.
        if (at < input.length) input[at] = this.#pick(INTERESTING_BYTES) ?? 0
        return input
      case 2: // Inserts a random byte.
        return Buffer.concat([before, Buffer.of(this.#below(256)), input.subarray(at)])
      case 3: // Removes a part.
        return Buffer.concat([before, input.subarray(at + length)])
      case 4: {
        // Repeats a part.
        const part = input.subarray(at, at + length)
        const times = 1 + this.#below(this.#below(8) === 0 ? 100 : 3)
        return Buffer.concat([before, ...Array.from({ length: times }, () => part), input.subarray(at)])
      }
      case 5: // Writes a number.
        return this.#writeNumber(input, at)
      case 6: {
        // Inserts or overwrites with a word.
        const word = this.#pick(this.#options.dictionary)
        if (word === undefined) return input
        return Buffer.concat([before, word, input.subarray(at + (this.#below(2) === 0 ? 0 : word.length))])
      }
      case 7: {
        // Continues as another input does.
        const other = pick()
        return Buffer.concat([before, other.subarray(this.#below(other.length + 1))])
      }
      default: {
        // Inserts a part of another input.
        const other = pick()
        const start = this.#below(other.length + 1)
        const part = other.subarray(start, start + 1 + this.#below(64))
        return Buffer.concat([before, part, input.subarray(at)])
      }
    }
  }

  #writeNumber(input: Buffer, at: number): Buffer {
    const bytes = 1 + this.#below(4)
    if (at + bytes > input.length) return input
    const known = this.#below(2) === 0 ? input.readUIntBE(at, bytes) : (this.#pick(INTERESTING_NUMBERS) ?? 0)
    const value = (known + this.#below(5) - 2 + 2 ** (8 * bytes)) % 2 ** (8 * bytes)
    if (this.#below(4) === 0) input.writeUIntLE(value, at, bytes)
    else input.writeUIntBE(value, at, bytes)
    return input
  }

  #pick<Value>(values: readonly Value[]): Value | undefined {
    return values[this.#below(values.length)]
  }

  #below(limit: number): number {
    return Math.floor(this.#options.random() * limit)
  }
}
