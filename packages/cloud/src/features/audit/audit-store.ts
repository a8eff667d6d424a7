import { createHmac, randomBytes } from 'node:crypto'
import { AUDIT_OPERATOR, type AuditAction } from '@glasses-cloud/contract'
import { type AuditRow, type Database, fromJson, inTransaction, type Page, toJson } from '../../db/index.ts'
import type { UserRef } from '../../personal-data.ts'

/** An act of an administrator. */
export interface AuditedAct {
  /** Id of the administrator, or `AUDIT_OPERATOR`. */
  readonly actorId: string
  readonly action: AuditAction
  /** Id of a user, an invitation or an incident, or a package name; empty for lists. */
  readonly target: string
  readonly details: Readonly<Record<string, unknown>>
  /** Network address of the administrator. */
  readonly address: string
}

/** A stored act. */
export interface AuditEntry extends Omit<AuditedAct, 'action'> {
  readonly id: string
  /** Epoch ms. */
  readonly at: number
  /** Such as `user.suspend`. */
  readonly action: string
  readonly outcome: AuditRow['outcome']
  /** E-mail address of the administrator; null if there is no such account. */
  readonly actor: string | null
}

/** The beginning of the pseudonyms of deleted users. */
const PSEUDONYM = 'deleted-'

/** Stores what administrators did. Entries are never deleted; those of deleted users become pseudonymous. */
export class AuditStore {
  readonly #db: Database
  readonly #secret: string

  /** @param secret key of the pseudonyms */
  constructor(db: Database, secret: string) {
    this.#db = db
    this.#secret = secret
  }

  /** Returns the store whose queries run in a transaction. */
  within(trx: Database): AuditStore {
    return new AuditStore(trx, this.#secret)
  }

  /** Stores an act. Users whose deletion has begun are stored by their pseudonyms. @returns its id */
  async add(act: AuditedAct, outcome: AuditRow['outcome'], now: number): Promise<string> {
    const id = `${String(now).padStart(15, '0')}-${randomBytes(6).toString('hex')}`
    const { actorId, action, target, details, address } = act
    const deleted = await this.#deleted([actorId, target])
    await this.#db
      .insertInto('audit_log')
      .values({
        id,
        at: now,
        actor_id: deleted.has(actorId) ? this.#pseudonym(actorId) : actorId,
        action,
        target: deleted.has(target) ? this.#pseudonym(target) : target,
        details: toJson(deleted.has(target) ? {} : details),
        address: deleted.has(actorId) ? '' : address,
        outcome,
      })
      .execute()
    return id
  }

  async end(id: string, outcome: 'done' | 'failed'): Promise<void> {
    await this.#db.updateTable('audit_log').set({ outcome }).where('id', '=', id).execute()
  }

  /** Lists acts, newest first; `after` is an id. @param action lists only acts of this kind */
  async list(page: Page, action?: AuditAction): Promise<AuditEntry[]> {
    let query = this.#db
      .selectFrom('audit_log')
      .leftJoin('users', 'users.id', 'audit_log.actor_id')
      .selectAll('audit_log')
      .select('users.email')
      .orderBy('audit_log.id', 'desc')
    if (page.after !== undefined) query = query.where('audit_log.id', '<', page.after)
    if (action !== undefined) query = query.where('audit_log.action', '=', action)
    if (page.limit !== undefined) query = query.limit(page.limit)
    const rows = await query.execute()
    return rows.map(({ actor_id, details, email, ...row }) => ({
      ...row,
      actorId: actor_id,
      actor: email,
      details: fromJson(details),
    }))
  }

  /** Returns the acts by and on a user, oldest first; `after` is an id. */
  async listAbout(userId: string, { after, limit = 200 }: Page): Promise<AuditRow[]> {
    let query = this.#db
      .selectFrom('audit_log')
      .selectAll()
      .where((e) => e.or([e('actor_id', '=', userId), e('target', '=', userId)]))
      .orderBy('id')
      .limit(limit)
    if (after !== undefined) query = query.where('id', '>', after)
    return query.execute()
  }

  /**
   * Replaces a deleted user by a pseudonym, the same in every entry. Network addresses of the user, and the details of acts
   * on the user, are removed; the details of other entries lose id and e-mail address.
   */
  async forget({ id, email }: UserRef): Promise<void> {
    const pseudonym = this.#pseudonym(id)
    await inTransaction(this.#db, async (trx) => {
      await trx
        .updateTable('audit_log')
        .set({ actor_id: pseudonym, address: '' })
        .where('actor_id', '=', id)
        .execute()
      await trx
        .updateTable('audit_log')
        .set({ target: pseudonym, details: '{}' })
        .where('target', '=', id)
        .execute()
      const mentions = await trx
        .selectFrom('audit_log')
        .select(['id', 'details'])
        .where((e) => {
          const details = e.fn<string>('lower', ['details'])
          return e.or(
            [id, email].map((text) => e(e.fn('replace', [details, e.val(text), e.val('')]), '<>', details)),
          )
        })
        .execute()
      for (const row of mentions) {
        const details = toJson(withoutUser(fromJson(row.details), { id, email }, pseudonym))
        await trx.updateTable('audit_log').set({ details }).where('id', '=', row.id).execute()
      }
    })
  }

  /** Makes entries pseudonymous whose users do not exist any more: of deletions before there were pseudonyms. */
  async forgetUnknown(): Promise<void> {
    const actors = await this.#db
      .selectFrom('audit_log')
      .select('actor_id as id')
      .distinct()
      .where('actor_id', 'not like', `${PSEUDONYM}%`)
      .where('actor_id', '<>', AUDIT_OPERATOR)
      .where('actor_id', 'not in', (e) => e.selectFrom('users').select('users.id'))
      .execute()
    const targets = await this.#db
      .selectFrom('audit_log')
      .select('target as id')
      .distinct()
      .where('target', 'not like', `${PSEUDONYM}%`)
      .where((e) => e.or([e('action', 'like', 'user.%'), e('action', '=', 'session.end')]))
      .where('target', 'not in', (e) => e.selectFrom('users').select('users.id'))
      .execute()
    for (const { id } of [...actors, ...targets]) await this.forget({ id, email: id })
  }

  /** Returns which of the ids are those of users whose deletion has begun. */
  async #deleted(ids: readonly string[]): Promise<Set<string>> {
    const rows = await this.#db
      .selectFrom('deletions')
      .select('user_id')
      .where('user_id', 'in', ids)
      .execute()
    return new Set(rows.map(({ user_id }) => user_id))
  }

  #pseudonym(userId: string): string {
    const mac = createHmac('sha256', this.#secret).update(`audit:${userId}`).digest('base64url')
    return `${PSEUDONYM}${mac.slice(0, 22)}`
  }
}

/** Replaces id and e-mail address of a user, in any case, in every text of a JSON value. */
export function withoutUser(value: unknown, { id, email }: UserRef, pseudonym: string): unknown {
  if (typeof value === 'string') return replaceWord(replaceWord(value, id, pseudonym), email, pseudonym)
  if (Array.isArray(value)) return value.map((entry) => withoutUser(entry, { id, email }, pseudonym))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [name, withoutUser(entry, { id, email }, pseudonym)]),
  )
}

/** Replaces a word, but not where it is a part of a longer address. */
function replaceWord(text: string, word: string, replacement: string): string {
  const pattern = `(?<![\\p{L}\\p{N}._%+-])${word.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')}(?![\\p{L}\\p{N}_-]|\\.[\\p{L}\\p{N}])`
  return text.replaceAll(new RegExp(pattern, 'giu'), () => replacement)
}
