import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { CompiledQuery, type KyselyPlugin, type RootOperationNode, sql } from 'kysely'
import { AppActivityStore, AppStore, InstallStore } from '../features/catalogue/index.ts'
import { GalleryStore } from '../features/gallery/gallery-store.ts'
import { ExportStore } from '../features/personal-data/exports/export-store.ts'
import { SettingsStore } from '../features/settings/settings-store.ts'
import { ApiKeyStore, OrganizationStore, UserStore } from '../identity/index.ts'
import { RunningAppStore, UserSessionStore } from '../session-host/index.ts'
import { type Database, openDatabase } from './database.ts'
import { eachDatabase } from './testing.ts'

const APPS = 10_000
const USERS = 10_000
const ROWS = 20_000

/** Large tables, which no query of a request may read from beginning to end. */
const LARGE_TABLES = [
  'apps',
  'app_activity',
  'app_permissions',
  'users',
  'installs',
  'gallery_photos',
  'running_apps',
]

/** Inserts rows with a number from 0. */
async function insertMany(db: Database, table: string, columns: string, values: string, count: number) {
  await sql
    .raw(
      `insert into ${table} (${columns})
       with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n < ${count - 1})
       select ${values} from numbers`,
    )
    .execute(db)
}

async function fill(db: Database): Promise<void> {
  await insertMany(
    db,
    'users',
    'id, email, name, profile, created_at, updated_at',
    `'u' || n, 'user' || n || '@example.org', '', '{}', 1, 1`,
    USERS,
  )
  await insertMany(
    db,
    'apps',
    'id, package_name, name, description, public_url, app_type, logo_url, featured, app_store_status, ' +
      'hardware_requirements, settings, tools, onboarding_instructions, developer_id, created_at, updated_at',
    `'a' || n, 'app.n' || n, 'App', '', 'https://a.example', 'STANDARD', '', 0, 'PUBLISHED', '[]', '[]', '[]', '',
     'user' || n || '@example.org', 1, 1`,
    APPS,
  )
  await insertMany(db, 'app_permissions', 'app_id, position, type', `'a' || n, 0, 'MICROPHONE'`, APPS)
  const spread = `'u' || (n % ${USERS}), 'a' || ((n * 7) % ${APPS})`
  await insertMany(db, 'installs', 'user_id, app_id, installed_at', `${spread}, 1`, USERS)
  await insertMany(db, 'app_activity', 'user_id, app_id, last_active_at', `${spread}, 1`, USERS)
  await insertMany(db, 'running_apps', 'user_id, app_id, since', `${spread}, 1`, USERS)
  await insertMany(
    db,
    'gallery_photos',
    'id, user_id, mime_type, size, request_id, origin, uploaded_at',
    `'p' || n, 'u' || (n % ${USERS}), 'image/jpeg', 1, 'r', 'app', 1`,
    ROWS,
  )
  // Statistics, as a database in use has them.
  await sql.raw('analyze').execute(db)
}

/** Collects the queries that pass through a database. */
class QueryRecorder implements KyselyPlugin {
  readonly nodes: RootOperationNode[] = []

  transformQuery({ node }: { node: RootOperationNode }): RootOperationNode {
    if (node.kind === 'SelectQueryNode') this.nodes.push(node)
    return node
  }

  async transformResult<Result>({ result }: { result: Result }): Promise<Result> {
    return result
  }
}

/** Returns the plan of a query as text, and the large tables that it reads entirely. */
async function planOf(db: Database, query: CompiledQuery, isSqlite: boolean) {
  const explain = isSqlite ? 'explain query plan ' : 'explain '
  const { rows } = await db.executeQuery<Record<string, unknown>>(
    CompiledQuery.raw(explain + query.sql, [...query.parameters]),
  )
  const plan = rows.map((row) => String(row.detail ?? row['QUERY PLAN'])).join('\n')
  const scan = isSqlite ? /^SCAN "?(\w+)"?(?! USING (?:COVERING )?INDEX)/gm : /Seq Scan on (\w+)/g
  const scanned = [...plan.matchAll(scan)].map(([, table = '']) => table)
  return { plan, scanned: scanned.filter((table) => LARGE_TABLES.includes(table)) }
}

describe('query plans', () => {
  eachDatabase(({ name, createEmpty }) => {
    test('no query of a request reads a large table from beginning to end', async (t) => {
      // A database of its own: deleting so many rows and the users they refer to takes PostgreSQL minutes.
      const db = await openDatabase(await createEmpty(t))
      t.after(() => db.destroy())
      await fill(db)
      const recorder = new QueryRecorder()
      const recorded = db.withPlugin(recorder)
      const apps = new AppStore(recorded)
      const installs = new InstallStore(recorded)
      const activity = new AppActivityStore(recorded)
      const users = new UserStore(recorded)
      const requests: Record<string, () => Promise<unknown>> = {
        'page of apps': () => apps.list({ after: 'app.n5', limit: 250 }),
        'apps by package name': () => apps.findByPackages(['app.n1', 'app.n2']),
        'apps by id': () => apps.findByIds(['a1', 'a2']),
        'apps of developers': () => apps.idsDevelopedBy(['u1', 'u2']),
        'health of apps': () => apps.healthOf(['a1', 'a2']),
        'installs of a user': () => installs.mapByAppId('u7'),
        'installs by name': () => installs.listNamed('u7', { limit: 200 }),
        'last uses of a user': () => activity.mapByAppId('u7'),
        'last uses by name': () => activity.listNamed('u7', { limit: 200 }),
        'one install': () => installs.find('u7', 'a49'),
        'user by id': () => users.findById('u7'),
        'user by e-mail': () => users.findByEmail('user7@example.org'),
        'page of users': () => users.list({ after: 'user7@example.org', limit: 200 }),
        'organizations of a user': () => new OrganizationStore(recorded).organizationsOf('u7'),
        'page of photos': () => new GalleryStore(recorded).listByUser('u7', { limit: 201 }),
        'next page of photos': () => new GalleryStore(recorded).listByUser('u7', { after: 'p7', limit: 201 }),
        'videos of a user': () => new GalleryStore(recorded).listByUser('u7', { only: 'video', limit: 201 }),
        'one photo': () => new GalleryStore(recorded).find('p7'),
        'API keys of an app': () => new ApiKeyStore(recorded, ['x'.repeat(32)]).list('a7'),
        'running apps': () => new RunningAppStore(recorded).runningOf('u7'),
        'session by id': () => new UserSessionStore(recorded).findById('s7'),
        'settings of a user': () => new SettingsStore(recorded).userSettings('u7'),
        'settings of an app': () => new SettingsStore(recorded).appSettings('u7', 'a7'),
        'exports of a user': () => new ExportStore(recorded).listByUser('u7'),
      }
      const executor = db.getExecutor()
      for (const [request, run] of Object.entries(requests)) {
        recorder.nodes.length = 0
        await run()
        assert.ok(recorder.nodes.length > 0, `${request} runs a query`)
        for (const node of recorder.nodes) {
          const query = executor.compileQuery(node, { queryId: request })
          const { plan, scanned } = await planOf(db, query, name === 'SQLite')
          assert.deepEqual(scanned, [], `${request}: ${query.sql}\n${plan}`)
        }
      }
    })
  })
})
