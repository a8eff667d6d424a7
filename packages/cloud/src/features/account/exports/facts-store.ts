import { type Database, fromJson } from '../../../db/index.ts'
import { type ExportFact, inPages, type UserRef } from '../../../personal-data.ts'

/** What is stored about a user in the rows of accounts, sessions, settings and the catalogue, as facts. */
export class FactsStore {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /** Settings of glasses and phone. */
  async *settings({ id }: UserRef): AsyncGenerator<ExportFact> {
    const rows = inPages(
      (after, limit) => {
        const query = this.#db
          .selectFrom('user_settings')
          .select(['key', 'value', 'updated_at'])
          .where('user_id', '=', id)
          .orderBy('key')
          .limit(limit)
        return (after === undefined ? query : query.where('key', '>', after)).execute()
      },
      ({ key }) => key,
    )
    for await (const { key, value, updated_at } of rows)
      yield { key, value: fromJson(value), updatedAt: updated_at }
  }

  /** Settings made in apps: `<packageName>/<key>`. */
  async *appSettings({ id }: UserRef): AsyncGenerator<ExportFact> {
    const apps = await this.#db
      .selectFrom('apps')
      .select(['id', 'package_name'])
      .where('id', 'in', (e) => e.selectFrom('app_settings').select('app_id').where('user_id', '=', id))
      .orderBy('package_name')
      .execute()
    for (const app of apps) {
      const rows = inPages(
        (after, limit) => {
          const query = this.#db
            .selectFrom('app_settings')
            .select(['key', 'value', 'updated_at'])
            .where('user_id', '=', id)
            .where('app_id', '=', app.id)
            .orderBy('key')
            .limit(limit)
          return (after === undefined ? query : query.where('key', '>', after)).execute()
        },
        ({ key }) => key,
      )
      for await (const { key, value, updated_at } of rows)
        yield { key: `${app.package_name}/${key}`, value: fromJson(value), updatedAt: updated_at }
    }
  }

  async *installedApps({ id }: UserRef): AsyncGenerator<ExportFact> {
    const rows = inPages(
      (after, limit) => {
        const query = this.#db
          .selectFrom('installs')
          .innerJoin('apps', 'apps.id', 'installs.app_id')
          .select(['apps.package_name', 'apps.name', 'installs.installed_at', 'installs.last_active_at'])
          .where('installs.user_id', '=', id)
          .orderBy('apps.package_name')
          .limit(limit)
        return (after === undefined ? query : query.where('apps.package_name', '>', after)).execute()
      },
      (row) => row.package_name,
    )
    for await (const row of rows) {
      yield {
        key: row.package_name,
        value: {
          name: row.name,
          installedAt: iso(row.installed_at),
          ...(row.last_active_at === null ? {} : { lastActiveAt: iso(row.last_active_at) }),
        },
        updatedAt: row.last_active_at ?? row.installed_at,
      }
    }
  }

  async *runningApps({ id }: UserRef): AsyncGenerator<ExportFact> {
    const rows = await this.#db
      .selectFrom('running_apps')
      .innerJoin('apps', 'apps.id', 'running_apps.app_id')
      .select(['apps.package_name', 'running_apps.since'])
      .where('running_apps.user_id', '=', id)
      .orderBy('apps.package_name')
      .execute()
    for (const { package_name, since } of rows)
      yield { key: package_name, value: { since: iso(since) }, updatedAt: since }
  }

  async *session({ id }: UserRef): AsyncGenerator<ExportFact> {
    const rows = await this.#db
      .selectFrom('user_sessions')
      .select(['id', 'created_at'])
      .where('user_id', '=', id)
      .execute()
    for (const row of rows)
      yield { key: row.id, value: { createdAt: iso(row.created_at) }, updatedAt: row.created_at }
  }

  async *organizations({ id }: UserRef): AsyncGenerator<ExportFact> {
    const rows = await this.#db
      .selectFrom('organization_members')
      .innerJoin('organizations', 'organizations.id', 'organization_members.organization_id')
      .select(['organizations.slug', 'organizations.name', 'organization_members.role'])
      .select('organization_members.joined_at')
      .where('organization_members.user_id', '=', id)
      .orderBy('organizations.slug')
      .execute()
    for (const { slug, name, role, joined_at } of rows)
      yield { key: slug, value: { name, role, joinedAt: iso(joined_at) }, updatedAt: joined_at }
  }

  /** Apps the user made, with the ids of their keys: the keys themselves are nowhere. */
  async *ownApps({ email }: UserRef): AsyncGenerator<ExportFact> {
    const rows = inPages(
      (after, limit) => {
        const query = this.#db
          .selectFrom('apps')
          .selectAll()
          .where('developer_id', '=', email)
          .orderBy('package_name')
          .limit(limit)
        return (after === undefined ? query : query.where('package_name', '>', after)).execute()
      },
      (row) => row.package_name,
    )
    for await (const row of rows) {
      const keys = await this.#db
        .selectFrom('api_keys')
        .select(['key_id', 'created_at'])
        .where('app_id', '=', row.id)
        .orderBy('created_at')
        .execute()
      yield {
        key: row.package_name,
        value: {
          name: row.name,
          description: row.description,
          publicUrl: row.public_url,
          webviewURL: row.webview_url,
          logoURL: row.logo_url,
          appStoreStatus: row.app_store_status,
          apiKeys: keys.map(({ key_id, created_at }) => ({ keyId: key_id, createdAt: iso(created_at) })),
          createdAt: iso(row.created_at),
        },
        updatedAt: row.updated_at,
      }
    }
  }
}

const iso = (ms: number) => new Date(ms).toISOString()
