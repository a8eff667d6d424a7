import { randomBytes } from 'node:crypto'
import { type AuditRow, type Database, fromJson, type Page, toJson } from '../../db/index.ts'

/** An act of an administrator. */
export interface AuditedAct {
  /** Id of the administrator. */
  readonly actorId: string
  /** Such as `user.suspend`. */
  readonly action: string
  /** Id of a user, or a package name. */
  readonly target: string
  readonly details: Readonly<Record<string, unknown>>
  /** Network address of the administrator. */
  readonly address: string
}

/** A stored act. */
export interface AuditEntry extends AuditedAct {
  readonly id: string
  /** Epoch ms. */
  readonly at: number
  readonly outcome: AuditRow['outcome']
  /** E-mail address of the administrator; null if the account was deleted. */
  readonly actor: string | null
}

/** Stores what administrators did. Entries are never deleted. */
export class AuditStore {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /** Stores the beginning of an act. @returns its id */
  async begin({ actorId, action, target, details, address }: AuditedAct, now: number): Promise<string> {
    const id = `${String(now).padStart(15, '0')}-${randomBytes(6).toString('hex')}`
    await this.#db
      .insertInto('audit_log')
      .values({
        id,
        at: now,
        actor_id: actorId,
        action,
        target,
        details: toJson(details),
        address,
        outcome: 'started',
      })
      .execute()
    return id
  }

  async end(id: string, outcome: 'done' | 'failed'): Promise<void> {
    await this.#db.updateTable('audit_log').set({ outcome }).where('id', '=', id).execute()
  }

  /** Lists acts, newest first; `after` is an id. */
  async list(page: Page): Promise<AuditEntry[]> {
    let query = this.#db
      .selectFrom('audit_log')
      .leftJoin('users', 'users.id', 'audit_log.actor_id')
      .selectAll('audit_log')
      .select('users.email')
      .orderBy('audit_log.id', 'desc')
    if (page.after !== undefined) query = query.where('audit_log.id', '<', page.after)
    if (page.limit !== undefined) query = query.limit(page.limit)
    const rows = await query.execute()
    return rows.map(({ actor_id, details, email, ...row }) => ({
      ...row,
      actorId: actor_id,
      actor: email,
      details: fromJson(details),
    }))
  }
}
