import { randomBytes, randomUUID } from 'node:crypto'
import { isIP } from 'node:net'
import { type Selectable, sql } from 'kysely'
import type { Database, LoginRow } from '../db/index.ts'
import { lastUseOf, type Use } from './last-use-store.ts'
import { hashSecret } from './secrets.ts'

/**
 * Returns an IP address, an IPv4-mapped one as IPv4. A client behind `TRUST_PROXY=true` may claim any text to be its
 * address, which is not stored.
 * @param text `request.ip`, which is undefined once the client has disconnected
 */
export function toAddress(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const address = text.replace(/^::ffff:(?=\d+\.)/i, '')
  return isIP(address) === 0 ? undefined : address
}

/** How long a login lasts after its last use, when it is extended. */
export const LOGIN_LIFETIME_MS = 30 * 24 * 60 * 60_000

/** Logins per user; the least recently used are removed. */
const MAX_LOGINS = 100

/** Logins per user with one scope, so that they do not end the others. */
const MAX_SCOPED_LOGINS = 10

/** A browser or device where a user signed in. Times are epoch milliseconds. */
export interface Login {
  readonly id: string
  readonly userId: string
  readonly ipAddress: string | undefined
  readonly userAgent: string | undefined
  /** Whether the browser does not keep the session when it closes, so that it is not extended. */
  readonly endsWithBrowser: boolean
  /** Whether the user approved it from another login, without signing in again. */
  readonly isDevice: boolean
  /** Whether it is the session of a browser. */
  readonly isBrowser: boolean
  /** When the user signed in, of a device the one who approved it; undefined if that is not known. */
  readonly signedInAt: number | undefined
  readonly createdAt: number
  /** Time of the last extension. */
  readonly updatedAt: number
  /** A request, to the minute, the sign-in or an extension. */
  readonly lastUse: Use
  readonly expiresAt: number
}

/** A login and the hash of its current refresh token. */
export interface RefreshState {
  readonly login: Login
  readonly currentHash: string | undefined
}

/** Where a login takes place. */
export interface LoginOrigin {
  readonly ipAddress?: string | undefined
  readonly userAgent?: string | undefined
  /** Whether the user approved the device from another login. */
  readonly isDevice?: boolean
  /** Whether it is the session of a browser. */
  readonly isBrowser?: boolean
  /** Of a device: when the user who approved it had signed in (epoch ms). */
  readonly signedInAt?: number | undefined
  /** Limits what the tokens of the login may do. */
  readonly scope?: 'store'
}

/** Time of the last use: a request, the sign-in or an extension. */
const lastUsedAt = sql<number>`case when last_used_at > updated_at then last_used_at else updated_at end`

/** Returns when a login expires that is extended now; those that end with the browser are not. */
const extendedExpiry = (now: number) =>
  sql<number>`case when ends_with_browser = 1 then expires_at else ${now + LOGIN_LIFETIME_MS} end`

/** Stores logins. The tokens of a login are stored as hashes. */
export class LoginStore {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /**
   * Creates a login.
   * @param session.sessionToken for browsers; without it, clients use core tokens only
   * @param session.endsWithBrowser whether it is not extended
   * @param session.refreshHash hash of a secret to exchange for the first tokens
   */
  async create(
    userId: string,
    { ipAddress, userAgent, isDevice = false, isBrowser = false, signedInAt, scope }: LoginOrigin,
    now: number,
    {
      id = randomUUID(),
      sessionToken = randomBytes(32).toString('hex'),
      refreshHash,
      lifetimeMs = LOGIN_LIFETIME_MS,
      endsWithBrowser = false,
    }: {
      readonly id?: string
      readonly sessionToken?: string
      readonly refreshHash?: string
      readonly lifetimeMs?: number
      readonly endsWithBrowser?: boolean
    } = {},
  ): Promise<Login> {
    const row = await this.#db
      .insertInto('logins')
      .values({
        id,
        user_id: userId,
        token_hash: hashSecret(sessionToken),
        refresh_hash: refreshHash ?? null,
        ip_address: ipAddress === undefined ? null : (toAddress(ipAddress) ?? null),
        user_agent: userAgent?.slice(0, 500) ?? null,
        is_device: isDevice ? 1 : 0,
        is_browser: isBrowser ? 1 : 0,
        signed_in_at: signedInAt ?? null,
        scope: scope ?? null,
        ends_with_browser: endsWithBrowser ? 1 : 0,
        created_at: now,
        updated_at: now,
        expires_at: now + lifetimeMs,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    if (scope !== undefined) await this.#removeExcess(userId, scope, MAX_SCOPED_LOGINS)
    await this.#removeExcess(userId, undefined, MAX_LOGINS)
    return toLogin(row)
  }

  /** Finds the login of a session token, or creates it. Requests at the same time get the same one. */
  async findOrCreate(userId: string, origin: LoginOrigin, now: number, sessionToken: string): Promise<Login> {
    const found = await this.findBySessionToken(sessionToken, now)
    if (found !== undefined) return found
    const hash = hashSecret(sessionToken)
    await this.#db
      .deleteFrom('logins')
      .where('token_hash', '=', hash)
      .where('expires_at', '<=', now)
      .execute()
    return this.create(userId, origin, now, { sessionToken }).catch(async (error: unknown) => {
      // Another request may have created it meanwhile.
      const other = await this.findBySessionToken(sessionToken, now)
      if (other === undefined) throw error
      return other
    })
  }

  /** Finds a login that has not expired. */
  async findLive(id: string, now: number): Promise<Login | undefined> {
    return this.#findLive('id', id, now)
  }

  /** Returns the ids of those logins that have not expired. */
  async findLiveIds(ids: readonly string[], now: number): Promise<string[]> {
    const rows = await this.#db
      .selectFrom('logins')
      .select('id')
      .where('id', 'in', ids)
      .where('expires_at', '>', now)
      .execute()
    return rows.map(({ id }) => id)
  }

  /** Finds the login of a session token, unless it has expired. */
  async findBySessionToken(token: string, now: number): Promise<Login | undefined> {
    return this.#findLive('token_hash', hashSecret(token), now)
  }

  /** Lists the logins of a user that have not expired, the most recently used first. */
  async list(userId: string, now: number): Promise<Login[]> {
    const rows = await this.#db
      .selectFrom('logins')
      .selectAll()
      .where('user_id', '=', userId)
      .where('expires_at', '>', now)
      .orderBy(lastUsedAt, 'desc')
      .orderBy('id')
      .execute()
    return rows.map(toLogin)
  }

  /** Removes the least recently used logins beyond `max`, with a scope or all. */
  async #removeExcess(userId: string, scope: 'store' | undefined, max: number): Promise<void> {
    let logins = this.#db.selectFrom('logins').select('id').where('user_id', '=', userId)
    if (scope !== undefined) logins = logins.where('scope', '=', scope)
    const excess = await logins.orderBy(lastUsedAt, 'desc').orderBy('id').offset(max).limit(max).execute()
    const ids = excess.map(({ id }) => id)
    if (ids.length > 0) await this.#db.deleteFrom('logins').where('id', 'in', ids).execute()
  }

  /** Extends a login, as of now. @returns it as it is now; undefined if it does not exist */
  async extend(id: string, now: number): Promise<Login | undefined> {
    const row = await this.#db
      .updateTable('logins')
      .set({ updated_at: now, expires_at: extendedExpiry(now) })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst()
    return row && toLogin(row)
  }

  /** @returns whether the login existed and belonged to the user */
  async remove(userId: string, id: string): Promise<boolean> {
    const { numDeletedRows } = await this.#db
      .deleteFrom('logins')
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow()
    return numDeletedRows > 0n
  }

  /** Removes all logins of a user but the one to keep, and device sign-ins that would become one. */
  async removeAll(userId: string, keptId?: string): Promise<void> {
    await this.removeApproved(userId)
    let logins = this.#db.deleteFrom('logins').where('user_id', '=', userId)
    if (keptId !== undefined) logins = logins.where('id', '!=', keptId)
    await logins.execute()
  }

  /** Removes device sign-ins that a user approved and whose device has not received its tokens yet. */
  async removeApproved(userId: string): Promise<void> {
    await this.#db.deleteFrom('device_codes').where('user_id', '=', userId).execute()
  }

  /** Removes logins that expired before `now`, at most `limit`. @returns the number removed */
  async removeExpired(now: number, limit: number): Promise<number> {
    const expired = this.#db.selectFrom('logins').select('id').where('expires_at', '<=', now).limit(limit)
    const { numDeletedRows } = await this.#db
      .deleteFrom('logins')
      .where('id', 'in', expired)
      .executeTakeFirstOrThrow()
    return Number(numDeletedRows)
  }

  /** Gives a login its first refresh token, or replaces all it had. @returns whether the login exists */
  async setRefreshToken(id: string, hash: string, now: number): Promise<boolean> {
    const { numUpdatedRows } = await this.#updateRefreshToken(id, hash, now).executeTakeFirstOrThrow()
    return numUpdatedRows > 0n
  }

  /**
   * Replaces the current refresh token of a login, and extends the login.
   * @returns false if `currentHash` is no longer that of the current token
   */
  async replaceRefreshToken(id: string, currentHash: string, hash: string, now: number): Promise<boolean> {
    const { numUpdatedRows } = await this.#updateRefreshToken(id, hash, now)
      .where('refresh_hash', '=', currentHash)
      .executeTakeFirstOrThrow()
    return numUpdatedRows > 0n
  }

  /** Returns the refresh tokens of a login that has not expired. */
  async refreshState(id: string, now: number): Promise<RefreshState | undefined> {
    const row = await this.#db
      .selectFrom('logins')
      .selectAll()
      .where('id', '=', id)
      .where('expires_at', '>', now)
      .executeTakeFirst()
    if (row === undefined) return undefined
    return { login: toLogin(row), currentHash: row.refresh_hash ?? undefined }
  }

  #updateRefreshToken(id: string, hash: string, now: number) {
    return this.#db
      .updateTable('logins')
      .set({ refresh_hash: hash, updated_at: now, expires_at: extendedExpiry(now) })
      .where('id', '=', id)
  }

  async #findLive(column: 'id' | 'token_hash', value: string, now: number): Promise<Login | undefined> {
    const row = await this.#db
      .selectFrom('logins')
      .selectAll()
      .where(column, '=', value)
      .where('expires_at', '>', now)
      .executeTakeFirst()
    return row && toLogin(row)
  }
}

function toLogin(row: Selectable<LoginRow>): Login {
  const request = lastUseOf(row)
  return {
    id: row.id,
    userId: row.user_id,
    ipAddress: row.ip_address || undefined,
    userAgent: row.user_agent || undefined,
    endsWithBrowser: row.ends_with_browser === 1,
    isDevice: row.is_device === 1,
    isBrowser: row.is_browser === 1,
    signedInAt: row.is_device === 1 ? (row.signed_in_at ?? undefined) : row.created_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    lastUse: {
      at: Math.max(row.updated_at, request?.at ?? 0),
      address: request === undefined ? row.ip_address || undefined : request.address,
    },
    expiresAt: row.expires_at,
  }
}
