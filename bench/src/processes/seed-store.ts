import { randomUUID } from 'node:crypto'
import type { Cloud } from '@glasses-cloud/cloud'
import type { SeedCounts } from './commands.ts'

/** Number of rows per statement. */
const BATCH = 500

const SEEDED_AT_MS = Date.UTC(2026, 0, 1)

/**
 * Inserts published apps, users, installs and photos. User 0 is `user0@bench.example`; installs and photos are spread
 * evenly over the users, and the first user additionally has five installs and 50 photos.
 */
export async function seed(db: Cloud['db'], counts: SeedCounts): Promise<void> {
  const apps = Array.from({ length: counts.apps }, () => randomUUID())
  const users = Array.from({ length: counts.users }, () => randomUUID())
  const at = { created_at: SEEDED_AT_MS, updated_at: SEEDED_AT_MS }
  await inBatches(
    counts.users,
    (index) => ({
      id: users[index] ?? '',
      email: `user${index}@bench.example`,
      name: `User ${index}`,
      profile: '{}',
      tokens_valid_from: 0,
      ...at,
    }),
    (rows) => db.insertInto('users').values(rows).execute(),
  )
  await inBatches(
    counts.apps,
    (index) => {
      const name = `App ${index} ${WORDS[index % WORDS.length]}`
      const description = `Number ${index} of the apps of this benchmark. It shows text on the display.`
      return {
        id: apps[index] ?? '',
        package_name: `bench.seed.app${String(index).padStart(6, '0')}`,
        name,
        description,
        public_url: `https://app${index}.bench.example`,
        app_type: 'STANDARD' as const,
        logo_url: `https://app${index}.bench.example/logo.png`,
        webview_url: null,
        featured: 0,
        min_hardware_version: null,
        app_store_status: 'PUBLISHED' as const,
        developer_id: null,
        organization_id: null,
        hardware_requirements: '[{"type":"DISPLAY","level":"REQUIRED"}]',
        settings: '[]',
        tools: '[]',
        wake_words: '[]',
        onboarding_instructions: '',
        screenshots: '[]',
        unreachable_since: null,
        ...at,
      }
    },
    (rows) => db.insertInto('apps').values(rows).execute(),
  )
  await inBatches(
    counts.apps,
    (index) => ({
      app_id: apps[index] ?? '',
      position: 0,
      type: 'MICROPHONE' as const,
      description: 'Benchmarks',
    }),
    (rows) => db.insertInto('app_permissions').values(rows).execute(),
  )
  // Two installs per user, of different apps.
  await inBatches(
    counts.installs + Math.min(5, counts.apps),
    (index) => {
      const ofFirst = index - counts.installs
      const app = ofFirst < 0 ? (index * 7 + Math.floor(index / counts.users)) % counts.apps : ofFirst
      return {
        user_id: users[ofFirst < 0 ? index % counts.users : 0] ?? '',
        app_id: apps[app] ?? '',
        installed_at: SEEDED_AT_MS + index,
        last_active_at: ofFirst < 0 ? null : SEEDED_AT_MS + index,
      }
    },
    (rows) =>
      db
        .insertInto('installs')
        .values(rows)
        .onConflict((conflict) => conflict.doNothing())
        .execute(),
  )
  await inBatches(
    counts.photos > 0 ? counts.photos + 50 : 0,
    (index) => ({
      id: randomUUID(),
      user_id: users[index < counts.photos ? index % counts.users : 0] ?? '',
      mime_type: 'image/jpeg' as const,
      size: 50_000,
      request_id: `request${index}`,
      origin: 'app' as const,
      package_name: 'bench.seed.app000000',
      uploaded_at: SEEDED_AT_MS + index,
    }),
    (rows) => db.insertInto('gallery_photos').values(rows).execute(),
  )
}

const WORDS = ['notes', 'weather', 'music', 'navigation', 'translation', 'captions', 'timer', 'news']

async function inBatches<Row>(
  count: number,
  rowOf: (index: number) => Row,
  insert: (rows: Row[]) => Promise<unknown>,
): Promise<void> {
  for (let start = 0; start < count; start += BATCH) {
    const length = Math.min(BATCH, count - start)
    await insert(Array.from({ length }, (_, offset) => rowOf(start + offset)))
  }
}
