import { createHmac } from 'node:crypto'
import { isEqualSecret } from '../../../identity/index.ts'
import type { SetUpStore } from './set-up-store.ts'

/** Letters and digits that are not mistaken for others. */
const ALPHABET = 'ABCDEFGHJKMNPQRSTVWXYZ23456789'

const CODE_LENGTH = 12

/**
 * The set-up of a new cloud: the first account becomes the administrator. It requires a code that only the operator can
 * read, wherever the request comes from: a proxy on the same machine forwards those of strangers.
 */
export class SetUp {
  readonly store: SetUpStore
  readonly #code: string

  constructor(store: SetUpStore, secret: string) {
    this.store = store
    this.#code = setUpCodeOf(secret)
  }

  /** Returns the code that the first account requires; undefined once the set-up is complete. */
  async code(): Promise<string | undefined> {
    return (await this.store.isPending()) ? this.#code : undefined
  }

  /** Returns whether a code is the set-up code, ignoring case and separators. */
  isCode(code: string): boolean {
    const plain = (text: string) => text.toUpperCase().replaceAll(/[\s-]/g, '')
    return isEqualSecret(plain(code), plain(this.#code))
  }
}

/** Derives the set-up code from the secret of the cloud, so that it is the same on all nodes and after a restart. */
export function setUpCodeOf(secret: string): string {
  const bytes = createHmac('sha256', secret).update('set-up code').digest()
  const letters = [...bytes.subarray(0, CODE_LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length])
  return letters.join('').replace(/(.{4})(?=.)/g, '$1-')
}
