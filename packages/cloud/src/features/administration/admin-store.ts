import { type RawBuilder, sql } from 'kysely'
import type { Database, Page } from '../../db/index.ts'

/** A live session with its user. */
export interface SessionSummary {
  readonly userId: string
  readonly email: string
  /** Epoch ms. */
  readonly startedAt: number
  /** Package names. */
  readonly apps: readonly string[]
  /** The lease holder that owns it; null if none does, and if there is only one node. */
  readonly owner: string | null
}

/** Which live sessions are listed. */
export interface SessionSearch {
  /** Part of the e-mail address, the glasses or a running app; empty: all sessions. */
  readonly text: string
  /** Owners of sessions that match as well; null: no owner. */
  readonly owners: readonly (string | null)[]
}

/** Reads users and sessions for administrators. */
export class AdminStore {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /**
   * Returns the ids of users by e-mail address.
   * @param search.prefix beginning of the address, in lower case
   */
  async searchUsers(
    search: { readonly prefix: string; readonly isSuspended?: boolean | undefined },
    page: Page,
  ): Promise<string[]> {
    let query = this.#db.selectFrom('users').select('id').orderBy('email')
    if (search.prefix !== '')
      query = query.where('email', '>=', search.prefix).where('email', '<', `${search.prefix}\u{10ffff}`)
    if (search.isSuspended === true) query = query.where('suspended_at', 'is not', null)
    if (search.isSuspended === false) query = query.where('suspended_at', 'is', null)
    if (page.after !== undefined) query = query.where('email', '>', page.after)
    if (page.limit !== undefined) query = query.limit(page.limit)
    return (await query.execute()).map(({ id }) => id)
  }

  /** Returns the number of live sessions of all nodes. */
  async countSessions(): Promise<number> {
    const { count } = await this.#db
      .selectFrom('user_sessions')
      .select((e) => e.fn.countAll<number | string>().as('count'))
      .executeTakeFirstOrThrow()
    return Number(count)
  }

  /** Lists the live sessions of all nodes that match a search by user id; `after` is a user id. */
  async listSessions(page: Page, { text, owners }: SessionSearch): Promise<SessionSummary[]> {
    let query = this.#db
      .selectFrom('user_sessions')
      .innerJoin('users', 'users.id', 'user_sessions.user_id')
      .select(['users.id', 'users.email', 'user_sessions.created_at', 'user_sessions.owner'])
      .orderBy('user_sessions.user_id')
    if (page.after !== undefined) query = query.where('user_sessions.user_id', '>', page.after)
    if (page.limit !== undefined) query = query.limit(page.limit)
    if (text !== '')
      query = query.where((e) => {
        const holders = owners.filter((owner) => owner !== null)
        return e.or([
          contains('users.email', text.replaceAll(' ', '+')),
          contains('user_sessions.model', text),
          ...(owners.includes(null) ? [e('user_sessions.owner', 'is', null)] : []),
          ...(holders.length > 0 ? [e('user_sessions.owner', 'in', holders)] : []),
          e.exists(
            e
              .selectFrom('running_apps')
              .innerJoin('apps', 'apps.id', 'running_apps.app_id')
              .select('apps.id')
              .whereRef('running_apps.user_id', '=', 'user_sessions.user_id')
              .where((inner) => inner.or([contains('apps.package_name', text), contains('apps.name', text)])),
          ),
        ])
      })
    const sessions = await query.execute()
    if (sessions.length === 0) return []
    const running = await this.#db
      .selectFrom('running_apps')
      .innerJoin('apps', 'apps.id', 'running_apps.app_id')
      .select(['running_apps.user_id', 'apps.package_name'])
      .where(
        'running_apps.user_id',
        'in',
        sessions.map(({ id }) => id),
      )
      .orderBy('apps.package_name')
      .execute()
    const byUser = Map.groupBy(running, ({ user_id }) => user_id)
    return sessions.map(({ id, email, created_at, owner }) => ({
      userId: id,
      email,
      startedAt: created_at,
      apps: (byUser.get(id) ?? []).map(({ package_name }) => package_name),
      owner,
    }))
  }
}

/**
 * Whether a column contains a text, in any case, with letters composed or decomposed. SQLite lowers only ASCII letters, so that
 * others are found as they are written.
 */
function contains(column: string, text: string): RawBuilder<boolean> {
  const value = sql.ref(column)
  const forms = [...new Set([text, text.normalize('NFC'), text.normalize('NFD')])].map(
    (form) => sql<boolean>`(replace(${value}, ${form}, '') <> ${value}
    or replace(lower(${value}), ${form.toLowerCase()}, '') <> lower(${value}))`,
  )
  return sql<boolean>`(${sql.join(forms, sql` or `)})`
}
