import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { dump, dumpFiles } from '../../src/backup/testing/filled-cloud.ts'
import { openBlobStore } from '../../src/blobs/index.ts'
import { type DatabaseOptions, openDatabase } from '../../src/db/index.ts'
import { onPostgres, sqlite, type TestDatabase } from '../../src/db/testing.ts'
import { findFreePort } from '../../src/http/free-port.ts'
import { AcknowledgedWrites } from '../support/acknowledged-writes.ts'
import { spawnCli } from '../support/cli.ts'
import { inheritedEnv } from '../support/inherited-env.ts'
import { spawnCloud, startCloud, testSecret } from '../support/test-cloud.ts'
import { createUserWithData } from '../support/user-data.ts'
import { waitFor } from '../support/wait-for.ts'

const CLI = fileURLToPath(new URL('../../src/cli.ts', import.meta.url))
const KIT = fileURLToPath(import.meta.resolve('@glasses-cloud/conformance/main'))

/** Size of a file whose copy takes long enough to kill a process meanwhile. */
const LARGE_BYTES = 192 * 1024 * 1024

describe('backups under load', () => {
  onPostgres((postgres) => {
    for (const [database, other] of [
      [sqlite, postgres],
      [postgres, sqlite],
    ] as const)
      test(`BAK-23: processes that are killed, and a restore from ${database.name} to ${other.name}`, async (t) => {
        const folder = newFolder(t)
        const options = await createEmpty(t, database)
        const env = envOf(options)
        await fill(t, env, options)
        let cloud = await spawnCloud(t, { env })
        const writes = await AcknowledgedWrites.start(
          t,
          () => cloud.url,
          await cloud.token('ada@example.com'),
        )

        // The command is killed: no backup, and the cloud continues.
        const file = join(folder, 'cloud.tar')
        const killed = startBackup(t, env, file)
        await killed.isWriting()
        killed.process.kill('SIGKILL')
        assert.deepEqual((await killed.ended).signal, 'SIGKILL')
        assert.deepEqual(readdirSync(folder), ['cloud.tar.partial'])
        await writes.more(10)

        // The cloud is killed: the backup is complete.
        const before = writes.acknowledged()
        const backup = startBackup(t, env, file)
        await backup.isWriting()
        await writes.more(10)
        await cloud.kill()
        const { code, errors } = await backup.ended
        assert.equal(code, 0, errors)
        await writes.stop()
        assert.deepEqual(readdirSync(folder), ['cloud.tar'])
        const verified = await spawnCli(t, env, 'verify', file)
        assert.equal(verified.code, 0, verified.err)

        // What was acknowledged before the backup began is in it.
        const restored = await restore(t, file, await createEmpty(t, database))
        cloud = await spawnCloud(t, { env: restored.env })
        assert.deepEqual(await writes.lost(before), [])
        const latest = writes.attempted()
        for (const [key, value] of Object.entries(await writes.stored()))
          assert.ok(value <= (latest.get(key) ?? 0), `${key} has a value that was never written`)
        await runConformanceKit(t, cloud)
        await cloud.stop()

        // Without writes, every row and every file is the same, in the other database.
        const second = join(folder, 'second.tar')
        assert.equal((await spawnCli(t, env, 'backup', '--to', second)).code, 0)
        const target = await restore(t, second, await createEmpty(t, other))
        assert.deepEqual(await dump(target.options), await dump(options))
        assert.deepEqual(await filesOf(target.options), await filesOf(options))
      })
  })

  test('BAK-19: a cloud that is killed while it makes a scheduled backup', async (t) => {
    const options = await createEmpty(t, sqlite)
    const folder = newFolder(t)
    await fill(t, envOf(options), options)
    const env = { ...envOf(options), BACKUP_TO: folder, BACKUP_EVERY: '24h' }
    const killed = await spawnCloud(t, { env })
    await isWriting(() => sizes(join(folder, '.uploads')))
    await killed.kill()
    const repository = (pattern: string) => globSync(pattern, { cwd: folder })
    assert.deepEqual(repository('backups/*/manifest.json.sha256'), [])
    assert.equal((await spawnCli(t, env, 'verify', folder)).code, 1)
    // A minute later its lease has expired.
    const db = await openDatabase(options)
    const { numUpdatedRows } = await db.updateTable('backup_state').set({ lease_until: 1 }).executeTakeFirst()
    await db.destroy()
    assert.equal(numUpdatedRows, 1n)
    await spawnCloud(t, { env })
    await waitFor(
      'the backup of the next process',
      () => repository('backups/*/manifest.json.sha256').length > 0,
      60_000,
    )
    const verified = await spawnCli(t, env, 'verify', folder)
    assert.equal(verified.code, 0, verified.err)
  })
})

function newFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'glasses-cloud-load-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** An empty database with a data folder. */
async function createEmpty(t: TestContext, database: TestDatabase): Promise<DatabaseOptions> {
  const options = await database.createEmpty(t)
  return database.name === 'SQLite' ? options : { ...options, dataDir: newFolder(t) }
}

const envOf = ({ databaseUrl, dataDir }: DatabaseOptions) => ({
  AUTH_SECRET: testSecret,
  DATA_DIR: dataDir,
  ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
})

/** Two users with rows in all tables of users and files of all kinds, one of which is large. */
async function fill(
  t: TestContext,
  env: Record<string, string>,
  { dataDir }: DatabaseOptions,
): Promise<void> {
  const local = await startCloud(t, { env })
  for (const email of ['ada@example.com', 'grace@example.com']) await createUserWithData(local, email)
  const photo = await local.cloud.db
    .selectFrom('gallery_photos')
    .select(['user_id', 'id'])
    .executeTakeFirstOrThrow()
  await local.stop()
  const blobs = await openBlobStore({ dataDir, s3: undefined, log: pino({ level: 'silent' }) })
  await blobs.put(`photos/${photo.user_id}/${photo.id}`, bytes(LARGE_BYTES))
  await blobs.close()
}

async function* bytes(size: number) {
  const chunk = Buffer.alloc(1024 * 1024, 'photo ')
  for (let rest = size; rest > 0; rest -= chunk.length) yield chunk
}

/** Runs `cli backup` in a process of its own. */
function startBackup(t: TestContext, env: Record<string, string>, file: string) {
  const child = spawn(process.execPath, [CLI, 'backup', '--to', file], {
    cwd: tmpdir(),
    env: { ...inheritedEnv(), ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  t.after(() => child.kill('SIGKILL'))
  const errors = text(child.stderr)
  const ended = once(child, 'close').then(async ([code, signal]) => ({ code, signal, errors: await errors }))
  return {
    process: child,
    ended,
    /** Resolves when the snapshot was taken and files are being copied. */
    isWriting: () => isWriting(() => sizeOf(`${file}.partial`)),
  }
}

async function restore(t: TestContext, file: string, options: DatabaseOptions) {
  const env = envOf(options)
  const { code, err } = await spawnCli(t, env, 'restore', file)
  assert.equal(code, 0, err)
  return { options, env }
}

async function filesOf({ dataDir }: DatabaseOptions) {
  const blobs = await openBlobStore({ dataDir, s3: undefined, log: pino({ level: 'silent' }) })
  return dumpFiles(blobs).finally(() => blobs.close())
}

async function runConformanceKit(
  t: TestContext,
  cloud: Awaited<ReturnType<typeof spawnCloud>>,
): Promise<void> {
  const url = `http://127.0.0.1:${await findFreePort()}`
  const { packageName, apiKey } = await cloud.registerApp({
    packageName: 'dev.example.conformance',
    publicUrl: url,
    webviewURL: `${url}/webview`,
    permissions: [{ type: 'MICROPHONE' }, { type: 'CAMERA' }],
  })
  const token = await cloud.token('conformance@example.com')
  const app = ['--app-package', packageName, '--app-key', apiKey, '--app-url', url]
  const child = spawn(process.execPath, [KIT, '--url', cloud.url, '--token', token, ...app], {
    env: inheritedEnv(),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => child.kill('SIGKILL'))
  const [report, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])
  assert.equal(code, 0, report)
  assert.match(report, /\d+ passed, 0 failed/)
}

/** Resolves when the snapshot was taken and the large file is being copied. */
async function isWriting(written: () => number): Promise<void> {
  const deadline = performance.now() + 60_000
  while (written() < 8 * 1024 * 1024) {
    assert.ok(performance.now() < deadline, 'no backup was written')
    await delay(5)
  }
}

const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0

const sizes = (folder: string) =>
  existsSync(folder) ? readdirSync(folder).reduce((sum, name) => sum + sizeOf(join(folder, name)), 0) : 0
