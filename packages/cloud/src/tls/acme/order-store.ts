import type { Database } from '../../db/index.ts'
import { seal, secretId, unseal } from '../../identity/index.ts'
import { LeasedRows } from '../../jobs/index.ts'
import type { KeyPair } from '../key-pair.ts'

/** What the nodes of a cloud know about a certificate that they order. */
export interface CertificateOrder {
  /** Number of processes that have worked on it. */
  readonly attempts: number
  /** When it is to be ordered again, in epoch ms. */
  readonly nextAttemptAt: number
  /** Failed attempts since the last one that succeeded. */
  readonly failures: number
  /** Why the last attempt failed, as a sentence. */
  readonly failure: string | undefined
  /** Undefined: there is none yet. */
  readonly pair: KeyPair | undefined
}

/** An answer to a challenge, which any node gives. */
export interface ChallengeAnswer {
  readonly token: string
  readonly host: string
  readonly type: string
  readonly keyAuthorization: string
}

/** Age from which answers to challenges are deleted. */
const MAX_CHALLENGE_AGE_MS = 24 * 60 * 60_000

/**
 * Stores a certificate that all nodes serve and one of them orders, the account at the authority, and answers to
 * challenges. Private keys are sealed with keys derived from `AUTH_SECRET`.
 */
export class OrderStore {
  readonly #db: Database
  readonly leases: LeasedRows<CertificateOrder>
  /** Names the row: the certificate, and the secret that seals its key. */
  readonly id: string
  readonly #name: string
  readonly #secrets: readonly [string, ...string[]]

  /**
   * @param name names the certificate: its authority and its hosts
   * @param secrets the accepted values of `AUTH_SECRET`, the current one first
   */
  constructor(db: Database, name: string, secrets: readonly [string, ...string[]]) {
    this.#db = db
    this.#name = name
    this.id = rowId(name, secrets[0])
    this.#secrets = secrets
    this.leases = new LeasedRows(db, {
      table: 'tls_certificates',
      isClaimable: (row, now) =>
        row.and([
          row('id', '=', this.id),
          row('next_attempt_at', '<=', now),
          row.or([row('lease_until', 'is', null), row('lease_until', '<', now)]),
        ]),
      load: (_, trx) => this.#load(trx),
    })
  }

  /** Returns the order. A new one takes over the certificate that was sealed with the previous `AUTH_SECRET`. */
  async open(now: number): Promise<CertificateOrder> {
    const stored = await this.#load(this.#db)
    if (stored) return stored
    const [, previousSecret] = this.#secrets
    const previous =
      previousSecret === undefined
        ? undefined
        : await this.#load(this.#db, rowId(this.#name, previousSecret), previousSecret)
    await this.#db
      .insertInto('tls_certificates')
      .values({
        id: this.id,
        created_at: now,
        attempts: 0,
        lease_owner: null,
        lease_until: null,
        next_attempt_at: previous?.nextAttemptAt ?? now,
        failures: 0,
        failure: null,
        certificate: previous?.pair?.certificate ?? null,
        sealed_key: previous?.pair ? this.#seal(previous.pair.key, KEY_PURPOSE) : null,
      })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute()
    const created = await this.#load(this.#db)
    if (!created) throw new Error('The order of the certificate was deleted')
    return created
  }

  /** Returns the order; undefined if no process has opened it. */
  find(): Promise<CertificateOrder | undefined> {
    return this.#load(this.#db)
  }

  /** Claims the order if it is due; of concurrent callers, one gets it. */
  claim(owner: string, now: number): Promise<CertificateOrder | undefined> {
    return this.leases.claim(owner, now)
  }

  /** Stores a new certificate, and ends the lease. @param failure what is wrong with it nevertheless */
  async complete(
    owner: string,
    pair: KeyPair,
    nextAttemptAt: number,
    { failures, failure }: { readonly failures: number; readonly failure: string | undefined },
  ): Promise<boolean> {
    const { numUpdatedRows } = await this.#db
      .updateTable('tls_certificates')
      .set({
        certificate: pair.certificate,
        sealed_key: this.#seal(pair.key, KEY_PURPOSE),
        next_attempt_at: nextAttemptAt,
        failures,
        failure: failure ?? null,
        lease_owner: null,
        lease_until: null,
      })
      .where('id', '=', this.id)
      .where('lease_owner', '=', owner)
      .executeTakeFirstOrThrow()
    return numUpdatedRows > 0n
  }

  /** Stores why an attempt failed, and ends the lease. */
  async fail(owner: string, failures: number, failure: string, nextAttemptAt: number): Promise<void> {
    await this.#db
      .updateTable('tls_certificates')
      .set({ failures, failure, next_attempt_at: nextAttemptAt, lease_owner: null, lease_until: null })
      .where('id', '=', this.id)
      .where('lease_owner', '=', owner)
      .execute()
  }

  /** Ends the lease without an attempt, at shutdown. */
  async release(owner: string): Promise<void> {
    await this.#db
      .updateTable('tls_certificates')
      .set({ lease_owner: null, lease_until: null })
      .where('id', '=', this.id)
      .where('lease_owner', '=', owner)
      .execute()
  }

  /**
   * Returns the key of the account at the authority. It is stored before it is used, so that a process that dies does not
   * leave accounts behind.
   * @param create generates a key, in PEM
   */
  async accountKey(account: string, create: () => Promise<string>, now: number): Promise<string> {
    const [secret] = this.#secrets
    const id = rowId(account, secret)
    const purpose = `${ACCOUNT_PURPOSE} ${account}`
    const find = () =>
      this.#db.selectFrom('tls_accounts').select('sealed_key').where('id', '=', id).executeTakeFirst()
    const stored = await find()
    if (stored) return unseal(stored.sealed_key, [secret], purpose)
    const key = await create()
    await this.#db
      .insertInto('tls_accounts')
      .values({ id, sealed_key: seal(key, secret, purpose), created_at: now })
      .execute()
    return key
  }

  async addChallenge({ token, host, type, keyAuthorization }: ChallengeAnswer, now: number): Promise<void> {
    await this.#db
      .insertInto('tls_challenges')
      .values({ token, host, type, key_authorization: keyAuthorization, created_at: now })
      .onConflict((conflict) =>
        conflict
          .column('token')
          .doUpdateSet({ host, type, key_authorization: keyAuthorization, created_at: now }),
      )
      .execute()
  }

  /** Deletes the answers of a host, and old ones. */
  async removeChallenges(host: string, now: number): Promise<void> {
    await this.#db
      .deleteFrom('tls_challenges')
      .where((row) => row.or([row('host', '=', host), row('created_at', '<', now - MAX_CHALLENGE_AGE_MS)]))
      .execute()
  }

  /** Returns the answer to an `http-01` challenge. */
  async findByToken(token: string): Promise<string | undefined> {
    const row = await this.#db
      .selectFrom('tls_challenges')
      .select('key_authorization')
      .where('token', '=', token)
      .where('type', '=', 'http-01')
      .executeTakeFirst()
    return row?.key_authorization
  }

  /** Returns the answer to the newest `tls-alpn-01` challenge of a host. */
  async findByHost(host: string): Promise<string | undefined> {
    const row = await this.#db
      .selectFrom('tls_challenges')
      .select('key_authorization')
      .where('host', '=', host)
      .where('type', '=', 'tls-alpn-01')
      .orderBy('created_at', 'desc')
      .executeTakeFirst()
    return row?.key_authorization
  }

  async #load(db: Database, id = this.id, secret = this.#secrets[0]): Promise<CertificateOrder | undefined> {
    const row = await db.selectFrom('tls_certificates').selectAll().where('id', '=', id).executeTakeFirst()
    if (!row) return undefined
    const { certificate, sealed_key: sealed } = row
    return {
      attempts: row.attempts,
      nextAttemptAt: row.next_attempt_at,
      failures: row.failures,
      failure: row.failure ?? undefined,
      pair:
        certificate !== null && sealed !== null
          ? { certificate, key: unseal(sealed, [secret], `${KEY_PURPOSE} ${this.#name}`) }
          : undefined,
    }
  }

  #seal(text: string, purpose: string): string {
    return seal(text, this.#secrets[0], `${purpose} ${this.#name}`)
  }
}

const KEY_PURPOSE = 'tls certificate'

const ACCOUNT_PURPOSE = 'tls account'

/** Each secret has a row of its own, so that nodes with different ones do not replace each other's certificate. */
function rowId(name: string, secret: string): string {
  return `${name} ${secretId(secret, KEY_PURPOSE).slice(0, 16)}`
}
