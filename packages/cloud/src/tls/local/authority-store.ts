import type { Database } from '../../db/index.ts'
import { seal, secretId, unseal } from '../../identity/index.ts'
import type { KeyPair } from '../key-pair.ts'

const PURPOSE = 'tls authority'

/** Stores the cloud's own authority, whose key is sealed with a key derived from `AUTH_SECRET`. */
export class AuthorityStore {
  readonly #db: Database
  readonly #secrets: readonly [string, ...string[]]

  /** @param secrets the accepted values of `AUTH_SECRET`, the current one first */
  constructor(db: Database, secrets: readonly [string, ...string[]]) {
    this.#db = db
    this.#secrets = secrets
  }

  /** Returns the authority of the current `AUTH_SECRET`, otherwise that of the previous one; undefined if there is none. */
  async find(): Promise<KeyPair | undefined> {
    for (const secret of this.#secrets) {
      const found = await this.#find(secret)
      if (found) return found
    }
    return undefined
  }

  /** Returns the authority, which is saved if there is none; of concurrent callers, all get the same. */
  async open(create: () => Promise<KeyPair>, now: number): Promise<KeyPair> {
    const [secret] = this.#secrets
    const current = await this.#find(secret)
    if (current) return current
    const { certificate, key } = (await this.find()) ?? (await create())
    await this.#db
      .insertInto('tls_authorities')
      .values({
        secret_id: secretId(secret, PURPOSE),
        certificate,
        sealed_key: seal(key, secret, PURPOSE),
        created_at: now,
      })
      .onConflict((conflict) => conflict.column('secret_id').doNothing())
      .execute()
    return (await this.#find(secret)) ?? { certificate, key }
  }

  async #find(secret: string): Promise<KeyPair | undefined> {
    const row = await this.#db
      .selectFrom('tls_authorities')
      .select(['certificate', 'sealed_key'])
      .where('secret_id', '=', secretId(secret, PURPOSE))
      .executeTakeFirst()
    return row && { certificate: row.certificate, key: unseal(row.sealed_key, [secret], PURPOSE) }
  }
}
