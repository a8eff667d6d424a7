import { argon2, randomBytes } from 'node:crypto'
import { fault } from '../../../http/fault.ts'
import { isEqualSecret } from '../../../identity/index.ts'

/** Hashes computed at a time. Each takes a thread of the pool that files and name look-ups use as well. */
const MAX_CONCURRENT = 2

/** Hashes that wait, more than the guesses of one network (ACCT-7), so that none of them can fill the queue. */
const MAX_WAITING = 200

/** Argon2id with 19 MiB, two passes and one lane, as OWASP recommends (ADR 30). */
const ARGON2 = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 }

/** What precedes the salt and the key of each hash, as in the PHC string format. */
const PREFIX = `$argon2id$v=19$m=${ARGON2.memory},t=${ARGON2.passes},p=${ARGON2.parallelism}$`

const SALT_BYTES = 16

/** Stands for a missing hash, so that verifying takes as long. */
const NO_HASH = `${PREFIX}${Buffer.alloc(SALT_BYTES).toString('base64')}$`

/** Hashes passwords with Argon2id, outside the main thread. */
export class PasswordHasher {
  #free = MAX_CONCURRENT
  readonly #waiting: (() => void)[] = []
  readonly #maxWaiting: number

  constructor(maxWaiting = MAX_WAITING) {
    this.#maxWaiting = maxWaiting
  }

  /** @throws Fault `TOO_MANY_PASSWORDS` if too many passwords wait, here and in {@link verify} */
  async hash(password: string): Promise<string> {
    const salt = randomBytes(SALT_BYTES)
    const key = await this.#inTurn(() => argon2Key(password, salt))
    return `${PREFIX}${salt.toString('base64')}$${key}`
  }

  /** Returns whether a password has a hash. Without a hash it takes as long, and returns false. */
  async verify(password: string, hash = NO_HASH): Promise<boolean> {
    const [salt = '', key = ''] = hash.slice(PREFIX.length).split('$')
    return isEqualSecret(await this.#inTurn(() => argon2Key(password, Buffer.from(salt, 'base64'))), key)
  }

  async #inTurn(compute: () => Promise<string>): Promise<string> {
    if (this.#free > 0) this.#free -= 1
    else if (this.#waiting.length >= this.#maxWaiting) throw fault('TOO_MANY_PASSWORDS')
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await compute()
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#free += 1
      else next()
    }
  }
}

/** @returns base64 */
function argon2Key(password: string, nonce: Buffer): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  argon2('argon2id', { ...ARGON2, message: normalized(password), nonce }, (error, key) =>
    error === null ? resolve(key.toString('base64')) : reject(error),
  )
  return promise
}

/** Equal texts have different code points on different keyboards. */
const normalized = (password: string) => password.normalize('NFKC')
