import type { AppEventKind } from '@glasses-cloud/contract'
import { sql } from 'kysely'
import { type Database, fromJson, inBatches, type Page, toJson } from '../../db/index.ts'
import type { AppLogFields } from '../../session-host/index.ts'

export const DAY_MS = 24 * 60 * 60_000

/** Days since 1970-01-01, UTC. @param at epoch ms */
export function dayOf(at: number): number {
  return Math.floor(at / DAY_MS)
}

/** Events that an app keeps, and that are shown. */
const MAX_EVENTS = 500

/** A stored entry of the log of an app. */
export interface StoredEntry {
  readonly id: string
  readonly appId: string
  /** Epoch ms. */
  readonly at: number
  readonly fields: AppLogFields
}

/** What a day adds to the use of an app. */
export interface UsageChange {
  readonly appId: string
  /** Days since 1970-01-01, UTC. */
  readonly day: number
  readonly sessions: number
  readonly errors: number
  readonly userHashes: ReadonlySet<string>
}

/** Use of an app on one day. */
export interface DayUsage {
  readonly day: number
  readonly users: number
  readonly sessions: number
  readonly errors: number
}

/** Stores the logs and the use of apps. */
export class AppLogStore {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /** Returns the ids of apps by package name. */
  async idsOf(packageNames: readonly string[]): Promise<Map<string, string>> {
    const ids = new Map<string, string>()
    for (const batch of inBatches(packageNames)) {
      const rows = await this.#db
        .selectFrom('apps')
        .select(['id', 'package_name'])
        .where('package_name', 'in', [...batch])
        .execute()
      for (const { id, package_name } of rows) ids.set(package_name, id)
    }
    return ids
  }

  /** Adds entries and use; of an app that was deleted meanwhile nothing is stored. */
  async add(entries: readonly StoredEntry[], usage: readonly UsageChange[]): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      for (const batch of inBatches(entries))
        await trx
          .insertInto('app_log')
          .values(
            batch.map(({ id, appId, at, fields }) => ({ id, app_id: appId, at, entry: toJson(fields) })),
          )
          .execute()
      for (const { appId: app_id, day, sessions, errors, userHashes } of usage) {
        await trx
          .insertInto('app_usage')
          .values({ app_id, day, sessions, errors })
          .onConflict((conflict) =>
            conflict.columns(['app_id', 'day']).doUpdateSet((e) => ({
              sessions: e('app_usage.sessions', '+', sessions),
              errors: e('app_usage.errors', '+', errors),
            })),
          )
          .execute()
        for (const batch of inBatches([...userHashes]))
          await trx
            .insertInto('app_daily_users')
            .values(batch.map((user_hash) => ({ app_id, day, user_hash })))
            .onConflict((conflict) => conflict.doNothing())
            .execute()
      }
    })
  }

  /** Lists the entries of an app, newest first; `after` is the id of the last entry of the previous page. */
  async list(appId: string, page: Page): Promise<StoredEntry[]> {
    let query = this.#db.selectFrom('app_log').selectAll().where('app_id', '=', appId).orderBy('id', 'desc')
    if (page.after !== undefined) query = query.where('id', '<', page.after)
    if (page.limit !== undefined) query = query.limit(page.limit)
    return (await query.execute()).map(toEntry)
  }

  /** Lists entries that follow an id, oldest first. */
  async listAfter(appId: string, id: string, limit: number): Promise<StoredEntry[]> {
    const rows = await this.#db
      .selectFrom('app_log')
      .selectAll()
      .where('app_id', '=', appId)
      .where('id', '>', id)
      .orderBy('id')
      .limit(limit)
      .execute()
    return rows.map(toEntry)
  }

  /** Returns the days from `firstDay` on with any use, oldest first. */
  async usageOf(appId: string, firstDay: number): Promise<DayUsage[]> {
    const [days, users] = await Promise.all([
      this.#db
        .selectFrom('app_usage')
        .selectAll()
        .where('app_id', '=', appId)
        .where('day', '>=', firstDay)
        .orderBy('day')
        .execute(),
      this.#db
        .selectFrom('app_daily_users')
        .select((e) => ['day', e.fn.countAll<number | string>().as('users')])
        .where('app_id', '=', appId)
        .where('day', '>=', firstDay)
        .groupBy('day')
        .execute(),
    ])
    const usersByDay = new Map(users.map((row) => [row.day, Number(row.users)]))
    return days.map(({ day, sessions, errors }) => ({
      day,
      sessions,
      errors,
      users: usersByDay.get(day) ?? 0,
    }))
  }

  /** Returns the newest events of an app since a time (epoch ms), newest first; declared permissions among them. */
  async eventsOf(
    appId: string,
    since: number,
  ): Promise<{ readonly at: number; readonly kind: AppEventKind }[]> {
    const [stored, declared] = await Promise.all([
      this.#db
        .selectFrom('app_events')
        .select(['at', 'kind'])
        .where('app_id', '=', appId)
        .where('at', '>=', since)
        .orderBy('at', 'desc')
        .limit(MAX_EVENTS)
        .execute(),
      // Those of a new app are part of its creation.
      this.#db
        .selectFrom('app_permissions')
        .innerJoin('apps', 'apps.id', 'app_permissions.app_id')
        .select('app_permissions.declared_at as at')
        .distinct()
        .where('app_id', '=', appId)
        .where('app_permissions.declared_at', '>=', since)
        .whereRef('app_permissions.declared_at', '>', 'apps.created_at')
        .execute(),
    ])
    const permissions = declared.map(({ at }) => ({ at, kind: 'permissions' as const }))
    return [...stored, ...permissions].sort((one, other) => other.at - one.at)
  }

  /** Deletes entries before a time (epoch ms), use and events before a day, and all but the newest events of each app. */
  async removeBefore(at: number, day: number): Promise<void> {
    await this.#db.deleteFrom('app_log').where('at', '<', at).execute()
    await this.#db.deleteFrom('app_usage').where('day', '<', day).execute()
    await this.#db.deleteFrom('app_daily_users').where('day', '<', day).execute()
    await this.#db
      .deleteFrom('app_events')
      .where('at', '<', day * DAY_MS)
      .execute()
    await sql`delete from app_events where (app_id, at, kind) in (
      select app_id, at, kind from (
        select app_id, at, kind, row_number() over (partition by app_id order by at desc) as position from app_events
      ) numbered where position > ${MAX_EVENTS}
    )`.execute(this.#db)
  }

  /** Deletes all but the newest entries of an app. */
  async trim(appId: string, kept: number): Promise<void> {
    const [oldest] = await this.#db
      .selectFrom('app_log')
      .select('id')
      .where('app_id', '=', appId)
      .orderBy('id', 'desc')
      .offset(kept)
      .limit(1)
      .execute()
    if (oldest === undefined) return
    await this.#db.deleteFrom('app_log').where('app_id', '=', appId).where('id', '<=', oldest.id).execute()
  }
}

function toEntry(row: { id: string; app_id: string; at: number; entry: string }): StoredEntry {
  return { id: row.id, appId: row.app_id, at: row.at, fields: fromJson(row.entry) }
}
