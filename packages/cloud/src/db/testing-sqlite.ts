import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DATABASE_FILE, openDatabase } from './database.ts'

const MIGRATIONS = fileURLToPath(new URL('./migrations', import.meta.url))
const CACHE = fileURLToPath(new URL('../../../../node_modules/.cache/test-databases', import.meta.url))

let template: Promise<string> | undefined

/**
 * Creates a migrated SQLite database without rows in a folder, by copying one: migrating takes longer than the rest of
 * the start of a cloud. The copied file is kept for later runs, until a migration changes.
 */
export async function createMigratedSqlite(dataDir: string): Promise<void> {
  template ??= findTemplate()
  copyFileSync(await template, join(dataDir, DATABASE_FILE))
}

/** Returns a text that changes with the migrations. */
export function hashMigrations(): string {
  const hash = createHash('sha256')
  for (const file of globSync('*.ts', { cwd: MIGRATIONS }).sort())
    hash.update(readFileSync(join(MIGRATIONS, file)))
  return hash.digest('hex')
}

async function findTemplate(): Promise<string> {
  const path = join(CACHE, `${hashMigrations()}.db`)
  if (!existsSync(path)) await createTemplate(path)
  return path
}

/** Renames the finished file: several test processes may create it at once. */
async function createTemplate(path: string): Promise<void> {
  mkdirSync(CACHE, { recursive: true })
  const dataDir = mkdtempSync(join(tmpdir(), 'glasses-cloud-'))
  await (await openDatabase({ dataDir })).destroy()
  const copy = `${path}.${process.pid}`
  copyFileSync(join(dataDir, DATABASE_FILE), copy)
  renameSync(copy, path)
  rmSync(dataDir, { recursive: true })
}
