import { argon2, randomBytes } from 'node:crypto'
import { fault } from '../../../http/fault.ts'
import { isEqualSecret } from '../../../identity/index.ts'

/** Hashes computed at a time. Each takes a thread of the pool that files and name look-ups use as well. */
const MAX_CONCURRENT = 2

/** Hashes that wait, more than the guesses of one network (ACCT-7), so that none of them can fill the queue. */
const MAX_WAITING = 200

/** What a hash takes: memory in KiB, and passes over it. */
interface HashCost {
  readonly memory: number
  readonly passes: number
}

/** Argon2id with 19 MiB, two passes and one lane, as OWASP recommends (ADR 30). */
const COST: HashCost = { memory: 19_456, passes: 2 }

const SALT_BYTES = 16

/** Hashes passwords with Argon2id, outside the main thread. */
export class PasswordHasher {
  #free = MAX_CONCURRENT
  readonly #waiting: (() => void)[] = []
  readonly #cost: HashCost
  readonly #maxWaiting: number
  /** What precedes the salt and the key of each hash, as in the PHC string format. */
  readonly #prefix: string

  constructor({ cost = COST, maxWaiting = MAX_WAITING } = {}) {
    this.#cost = cost
    this.#maxWaiting = maxWaiting
    this.#prefix = `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=1$`
  }

  /** @throws Fault `TOO_MANY_PASSWORDS` if too many passwords wait, here and in {@link verify} */
  async hash(password: string): Promise<string> {
    const salt = randomBytes(SALT_BYTES)
    const key = await this.#key(password, salt)
    return `${this.#prefix}${salt.toString('base64')}$${key}`
  }

  /** Returns whether a password has a hash. Without a hash it takes as long, and returns false. */
  async verify(password: string, hash?: string): Promise<boolean> {
    const [salt, key = ''] = hash?.slice(this.#prefix.length).split('$') ?? []
    const nonce = salt === undefined ? Buffer.alloc(SALT_BYTES) : Buffer.from(salt, 'base64')
    return isEqualSecret(await this.#key(password, nonce), key)
  }

  /** @returns base64 */
  async #key(password: string, nonce: Buffer): Promise<string> {
    if (this.#free > 0) this.#free -= 1
    else if (this.#waiting.length >= this.#maxWaiting) throw fault('TOO_MANY_PASSWORDS')
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await argon2Key(password, nonce, this.#cost)
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#free += 1
      else next()
    }
  }
}

function argon2Key(password: string, nonce: Buffer, cost: HashCost): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const parameters = { ...cost, parallelism: 1, tagLength: 32, message: normalized(password), nonce }
  argon2('argon2id', parameters, (error, key) =>
    error === null ? resolve(key.toString('base64')) : reject(error),
  )
  return promise
}

/** Equal texts have different code points on different keyboards. */
const normalized = (password: string) => password.normalize('NFKC')
