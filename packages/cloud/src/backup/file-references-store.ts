import type { Database } from '../db/index.ts'
import type { CellValue } from './format.ts'
import type { ReadRows } from './snapshot-store.ts'

/** Rows that name files of the blob store. */
interface FileReference {
  /** A table, or a join, in SQL. */
  readonly from: string
  readonly columns: readonly string[]
  /** Returns the keys of the files that a row names. */
  keysOf(row: readonly CellValue[]): string[]
  /** Whether a key is of this kind. */
  readonly pattern: RegExp
  /** Returns whether a row names the file. */
  isNamed(db: Database, match: RegExpExecArray): Promise<boolean>
  /** Removes what names a file that was deleted. */
  forget(db: Database, match: RegExpExecArray): Promise<void>
}

const IMAGE_PATH = /\/api\/app-images\/([0-9a-f]{32}\.(?:png|jpg|webp))/g

/** What a photo is charged with at least (GAL-16). */
const MIN_CHARGE_BYTES = 16 * 1024

const photos: FileReference = {
  from: 'gallery_photos',
  columns: ['user_id', 'id'],
  keysOf: ([user, id]) => [`photos/${user}/${id}`],
  pattern: /^photos\/[^/]+\/([^/.]+)$/,
  async isNamed(db, [, id = '']) {
    const found = await db.selectFrom('gallery_photos').select('id').where('id', '=', id).executeTakeFirst()
    return found !== undefined
  },
  async forget(db, [, id = '']) {
    const row = await db
      .deleteFrom('gallery_photos')
      .where('id', '=', id)
      .returning(['user_id', 'size'])
      .executeTakeFirst()
    if (row === undefined) return
    const charge = Math.max(row.size, MIN_CHARGE_BYTES)
    await db
      .updateTable('gallery_usage')
      .set((e) => ({ photos: e('photos', '-', 1), bytes: e('bytes', '-', charge) }))
      .where('user_id', '=', row.user_id)
      .execute()
  },
}

const incidentFiles: FileReference = {
  from: 'incident_files f join incidents i on i.id = f.incident_id',
  columns: ['i.user_id', 'i.id', 'f.id'],
  keysOf: ([user, incident, id]) => [`incidents/${user}/${incident}/${id}`],
  pattern: /^incidents\/[^/]+\/[^/]+\/([^/]+)$/,
  async isNamed(db, [, id = '']) {
    const found = await db.selectFrom('incident_files').select('id').where('id', '=', id).executeTakeFirst()
    return found !== undefined
  },
  async forget(db, [, id = '']) {
    await db.deleteFrom('incident_files').where('id', '=', id).execute()
  },
}

const exports: FileReference = {
  from: 'exports',
  columns: ['id', 'attempts', 'status'],
  keysOf: ([id, attempts, status]) => (status === 'completed' ? [`exports/${id}.${attempts}`] : []),
  pattern: /^exports\/([^/.]+)\.\d+$/,
  async isNamed(db, [, id = '']) {
    const found = await db.selectFrom('exports').select('id').where('id', '=', id).executeTakeFirst()
    return found !== undefined
  },
  async forget(db, [, id = '']) {
    await db.deleteFrom('exports').where('id', '=', id).execute()
  },
}

const appImages: FileReference = {
  from: 'apps',
  columns: ['logo_url', 'screenshots'],
  keysOf: (row) => [...row.join(' ').matchAll(IMAGE_PATH)].map(([, name]) => `app-images/${name}`),
  pattern: /^app-images\/([^/]+)$/,
  async isNamed(db, match) {
    return (await appsWithImage(db, match)).length > 0
  },
  async forget(db, match) {
    const path = `/api/app-images/${match[1]}`
    for (const { id, logo_url, screenshots } of await appsWithImage(db, match)) {
      const kept = (JSON.parse(screenshots) as string[]).filter((each) => each !== path)
      await db
        .updateTable('apps')
        .set({ logo_url: logo_url === path ? '' : logo_url, screenshots: JSON.stringify(kept) })
        .where('id', '=', id)
        .execute()
    }
  },
}

function appsWithImage(db: Database, [, name = '']: RegExpExecArray) {
  const part = `%/api/app-images/${name}%`
  return db
    .selectFrom('apps')
    .select(['id', 'logo_url', 'screenshots'])
    .where((e) => e.or([e('logo_url', 'like', part), e('screenshots', 'like', part)]))
    .execute()
}

const KINDS = [photos, incidentFiles, exports, appImages]

/** Yields the keys of all files that rows name, in batches. @param rows reads a snapshot or a restored database */
export async function* namedFiles(rows: ReadRows): AsyncGenerator<string[]> {
  for (const { from, columns, keysOf } of KINDS)
    for await (const batch of rows(from, columns)) yield batch.flatMap(keysOf)
}

/** Returns whether a row still names a file; false for keys of an unknown kind. */
export async function isFileNamed(db: Database, key: string): Promise<boolean> {
  for (const kind of KINDS) {
    const match = kind.pattern.exec(key)
    if (match) return kind.isNamed(db, match)
  }
  return false
}

/** Removes the row that names a deleted file, as its deletion did. */
export async function forgetFile(db: Database, key: string): Promise<void> {
  for (const kind of KINDS) {
    const match = kind.pattern.exec(key)
    if (match) return kind.forget(db, match)
  }
}
