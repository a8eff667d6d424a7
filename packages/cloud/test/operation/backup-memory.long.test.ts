import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { pino } from 'pino'
import { openBlobStore } from '../../src/blobs/index.ts'
import { openDatabase } from '../../src/db/index.ts'
import { onPostgres, sqlite } from '../../src/db/testing.ts'
import { inheritedEnv } from '../support/inherited-env.ts'
import { testSecret } from '../support/test-cloud.ts'

const CLI = fileURLToPath(new URL('../../src/cli.ts', import.meta.url))

const MEBIBYTE = 1024 * 1024

/** The file is larger than the memory that a process may use, and the rows are larger than its heap. */
const FILE_BYTES = 400 * MEBIBYTE
const ROWS = 80_000
const ROW_CHARACTERS = 1_000

const HEAP_MIB = 64
/** Of the whole process: with the file, or all rows, in memory it would be 550 MiB at least. */
const MAX_PEAK_BYTES = 480 * MEBIBYTE

onPostgres((postgres) => {
  test('BAK-14: a backup, its verification and its restore in a process with little memory', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'glasses-cloud-memory-'))
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    const { dataDir } = await sqlite.acquire(t)
    await fill(dataDir)
    const source = { AUTH_SECRET: testSecret, DATA_DIR: dataDir }
    const { databaseUrl } = await postgres.createEmpty(t)
    const target = {
      AUTH_SECRET: testSecret,
      DATA_DIR: join(folder, 'data'),
      DATABASE_URL: databaseUrl ?? '',
    }
    const file = join(folder, 'cloud.tar')
    const repository = join(folder, 'backups/')
    for (const [env, ...command] of [
      [source, 'backup', '--to', file],
      [source, 'verify', file],
      [target, 'restore', file],
      [target, 'backup', '--to', repository],
    ] as const) {
      const startedAt = performance.now()
      const peak = await peakOf(t, join(folder, 'peak'), env, command)
      const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1)
      t.diagnostic(`${command[0]}: ${seconds} s, ${Math.round(peak / MEBIBYTE)} MiB at most`)
      assert.ok(peak < MAX_PEAK_BYTES, `${command[0]} used ${Math.round(peak / MEBIBYTE)} MiB`)
    }
  })
})

/** Stores a large file, and more rows than fit in the memory. */
async function fill(dataDir: string): Promise<void> {
  const db = await openDatabase({ dataDir })
  await sql`
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${ROWS})
    insert into users (id, email, name, profile, tokens_valid_from, created_at, updated_at)
    select 'user-' || n, n || '@example.com', '', printf(${`{"text":"%0${ROW_CHARACTERS}d"}`}, n), 0, n, n from numbers`.execute(
    db,
  )
  await db
    .insertInto('gallery_photos')
    .values({
      ...{ id: 'photo', user_id: 'user-1', mime_type: 'image/jpeg', size: FILE_BYTES },
      ...{ request_id: 'request', origin: 'app', package_name: null, uploaded_at: 1 },
    })
    .execute()
  await db.destroy()
  const blobs = await openBlobStore({ dataDir, s3: undefined, log: pino({ level: 'silent' }) })
  await blobs.put('photos/user-1/photo', bytes(FILE_BYTES))
  await blobs.close()
}

async function* bytes(size: number) {
  const chunk = Buffer.alloc(MEBIBYTE, 'photo ')
  for (let rest = size; rest > 0; rest -= chunk.length) yield chunk
}

/** Runs a command with a small heap. @returns its largest resident memory in bytes */
async function peakOf(
  t: TestContext,
  file: string,
  env: Readonly<Record<string, string>>,
  command: readonly string[],
): Promise<number> {
  const report = `import { writeFileSync } from 'node:fs'
    process.on('exit', () => writeFileSync(${JSON.stringify(file)}, String(process.resourceUsage().maxRSS)))`
  const options = [
    `--max-old-space-size=${HEAP_MIB}`,
    '--import',
    `data:text/javascript,${encodeURIComponent(report)}`,
  ]
  const child = spawn(process.execPath, [...options, CLI, ...command], {
    cwd: tmpdir(),
    env: { ...inheritedEnv(), ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  t.after(() => child.kill('SIGKILL'))
  const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
  assert.equal(code, 0, errors)
  return Number(readFileSync(file, 'utf8')) * 1024
}
