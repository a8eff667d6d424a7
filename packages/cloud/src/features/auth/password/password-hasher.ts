import { randomBytes, scrypt } from 'node:crypto'
import { isEqualSecret } from '../../../identity/index.ts'

/** Hashes computed at a time. Each takes a thread of the pool that files and name look-ups use as well. */
const MAX_CONCURRENT = 2

/** Parameters of every stored hash; `maxmem` is twice what they need, in bytes. */
const SCRYPT = { N: 16_384, r: 16, p: 1, maxmem: 64 * 1024 * 1024 }

const KEY_BYTES = 64

/** Hashes passwords with scrypt, outside the main thread. A hash is `<salt>:<key>`, in hex. */
export class PasswordHasher {
  #free = MAX_CONCURRENT
  readonly #waiting: (() => void)[] = []

  async hash(password: string): Promise<string> {
    const salt = randomBytes(16).toString('hex')
    return `${salt}:${await this.#keyOf(password, salt)}`
  }

  /** Returns whether a password has a hash. Without a hash it takes as long, and returns false. */
  async verify(password: string, hash = ':'): Promise<boolean> {
    const [salt = '', key = ''] = hash.split(':')
    return isEqualSecret(await this.#keyOf(password, salt), key)
  }

  async #keyOf(password: string, salt: string): Promise<string> {
    if (this.#free > 0) this.#free -= 1
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    // The digits of the salt are its bytes. Equal texts have different code points on different keyboards.
    scrypt(password.normalize('NFKC'), salt, KEY_BYTES, SCRYPT, (error, key) =>
      error === null ? resolve(key.toString('hex')) : reject(error),
    )
    try {
      return await promise
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#free += 1
      else next()
    }
  }
}
