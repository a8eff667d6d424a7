import assert from 'node:assert/strict'
import { globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { pino } from 'pino'
import { oneChunk, openBlobStore } from '../blobs/index.ts'
import { S3Server } from '../blobs/testing/s3-server.ts'
import { openDatabase } from '../db/index.ts'
import { onPostgres } from '../db/testing.ts'
import { Metrics } from '../http/metrics.ts'
import { systemClock } from '../time/index.ts'
import { createBackupSchedule } from './backup-schedule.ts'
import { BackupStateStore } from './backup-state-store.ts'
import type { BackupKey } from './encryption.ts'
import { openRepository, readPlace } from './place.ts'
import { type BackupTask, plainS3, runBackup } from './run-backup.ts'
import { BackupRig, SECRET, type TestedCloud } from './testing/backup-rig.ts'
import { dump, dumpFiles } from './testing/filled-cloud.ts'

const log = pino({ level: 'silent' })

function taskOf(rig: BackupRig, { database }: TestedCloud, task: Partial<BackupTask> = {}): BackupTask {
  return {
    to: rig.path('backups'),
    s3: undefined,
    lock: undefined,
    keep: 10,
    databaseUrl: database.databaseUrl,
    dataDir: database.dataDir,
    fileS3: undefined,
    diskReserveBytes: 0,
    secrets: { authSecret: SECRET },
    programVersion: '1.0.0',
    scratchFolder: rig.path('scratch'),
    ...task,
  }
}

async function openFolder(rig: BackupRig, id?: string, key: BackupKey = {}) {
  const place = await readPlace(`${rig.path('backups')}/`)
  assert.ok(place.kind === 'folder')
  return (await openRepository(place, undefined, log)).source(id, key)
}

const count = (rig: BackupRig, pattern: string) => globSync(pattern, { cwd: rig.path('backups') }).length

async function removePhoto({ database, blobs }: TestedCloud) {
  const db = await openDatabase(database)
  const { id, user_id } = await db
    .selectFrom('gallery_photos')
    .select(['id', 'user_id'])
    .executeTakeFirstOrThrow()
  await db.deleteFrom('gallery_photos').where('id', '=', id).execute()
  await db.destroy()
  await blobs.delete(`photos/${user_id}/${id}`)
}

test('BAK-15: a folder with several backups', async (t) => {
  const rig = new BackupRig(t)
  const source = await rig.filled('source')
  const first = await runBackup(taskOf(rig, source))
  const files = first.manifest.files.count
  assert.equal(count(rig, 'objects/*/*'), files)
  const rows = await dump(source.database)
  const contents = await dumpFiles(source.blobs)
  await removePhoto(source)
  const second = await runBackup(taskOf(rig, source))
  assert.ok(second.writtenBytes < first.writtenBytes)
  assert.equal(second.manifest.files.count, files - 1)
  assert.equal(count(rig, 'objects/*/*'), files, 'the first backup names it')
  const old = await rig.empty('old')
  await rig.restore(await openFolder(rig, first.id), old)
  assert.deepEqual([await dump(old.database), await dumpFiles(old.blobs)], [rows, contents])
  const newest = await rig.empty('newest')
  await rig.restore(await openFolder(rig), newest)
  assert.deepEqual(await dump(newest.database), await dump(source.database))
  assert.deepEqual(await dumpFiles(newest.blobs), await dumpFiles(source.blobs))
  await assert.rejects(openFolder(rig, 'x'), /contains no backup x; it contains/)
  const [object = ''] = globSync('objects/*/*', { cwd: rig.path('backups') })
  writeFileSync(rig.path(`backups/${object}`), 'changed')
  await assert.rejects(rig.verify(await openFolder(rig, first.id)), /is damaged or was changed/)
})

test('BAK-16: old backups, and what was left by those that were killed', async (t) => {
  const rig = new BackupRig(t)
  const source = await rig.filled('source')
  const first = await runBackup(taskOf(rig, source))
  await removePhoto(source)
  mkdirSync(rig.path('backups/backups/killed'), { recursive: true })
  writeFileSync(rig.path('backups/backups/killed/backup.json'), '{}')
  mkdirSync(rig.path('backups/objects/00'), { recursive: true })
  writeFileSync(rig.path(`backups/objects/00/${'0'.repeat(64)}`), 'of a backup that was killed')
  const second = await runBackup(taskOf(rig, source, { keep: 1 }))
  assert.equal(second.isPruned, true)
  assert.equal(count(rig, 'backups/*'), 1)
  assert.equal(count(rig, 'objects/*/*'), second.manifest.files.count)
  await assert.rejects(openFolder(rig, first.id), /contains no backup/)
  await rig.verify(await openFolder(rig))
  // A backup that is not stored as it was written is removed.
  rmSync(rig.path('backups/objects'), { recursive: true })
  writeFileSync(rig.path('backups/objects'), 'a file instead of a folder')
  await assert.rejects(runBackup(taskOf(rig, source)))
  assert.equal(count(rig, 'backups/*'), 1)
})

test('BAK-17: an encrypted repository, with a passphrase or a public key', async (t) => {
  const rig = new BackupRig(t)
  const source = await rig.filled('source')
  const passphrase = 'correct horse battery'
  await runBackup(taskOf(rig, source, { lock: { passphrase, workFactor: 8 } }))
  const second = await runBackup(taskOf(rig, source, { lock: { passphrase, workFactor: 8 } }))
  assert.equal(count(rig, 'objects/*/*'), second.manifest.files.count)
  assert.equal(count(rig, 'keys/*'), 1)
  const target = await rig.empty('target')
  await rig.restore(await openFolder(rig, undefined, { passphrase }), target)
  assert.deepEqual(await dumpFiles(target.blobs), await dumpFiles(source.blobs))
  await assert.rejects(rig.verify(await openFolder(rig)), /is encrypted/)
  await assert.rejects(
    rig.verify(await openFolder(rig, undefined, { passphrase: 'another one' })),
    /BackupError/,
  )
  for (const name of globSync('**/*', { cwd: rig.path('backups') })) {
    const path = rig.path(`backups/${name}`)
    const content = statSync(path).isFile() ? readFileSync(path) : ''
    assert.ok(!content.includes('content of') && !content.includes(SECRET), name)
  }
  const identity = await generateX25519Identity()
  const lock = { recipients: [await identityToRecipient(identity)] }
  const third = await runBackup(taskOf(rig, source, { lock, keep: 2 }))
  const fourth = await runBackup(taskOf(rig, source, { lock, keep: 1 }))
  assert.ok(fourth.writtenBytes < third.writtenBytes, 'files are not written again')
  assert.equal(count(rig, 'objects/*/*'), fourth.manifest.files.count)
  await rig.verify(await openFolder(rig, undefined, { identities: [identity] }))
})

test('BAK-18: from a folder to S3 and back, with backups on S3', async (t) => {
  const rig = new BackupRig(t)
  const source = await rig.filled('source')
  const server = await S3Server.start()
  t.after(() => server.close())
  const s3 = plainS3(server.options)
  const written = await runBackup(taskOf(rig, source, { to: `s3://${server.bucket}/nightly`, s3 }))
  assert.ok([...server.objects.keys()].every((key) => key.startsWith('nightly/')))
  const place = await readPlace(`s3://${server.bucket}/nightly`)
  assert.ok(place.kind === 's3')
  const repository = await openRepository(place, server.options, log)
  t.after(() => repository.close())
  const target = await rig.empty('target')
  await rig.restore(await repository.source(written.id, {}), target)
  assert.deepEqual(await dump(target.database), await dump(source.database))
  assert.deepEqual(await dumpFiles(target.blobs), await dumpFiles(source.blobs))
  server.fault = ({ method, key }) =>
    method === 'PUT' && key.includes('/rows/') ? { status: 403, code: 'AccessDenied' } : undefined
  await assert.rejects(
    runBackup(taskOf(rig, source, { to: `s3://${server.bucket}/nightly`, s3 })),
    /AccessDenied|access/i,
  )
  server.fault = () => undefined
  assert.deepEqual(await repository.list(), [written.id])
  await assert.rejects(readPlace('ftp://host/x'), /must be a file, a folder, or s3:/)
  await assert.rejects(openRepository(place, undefined, log), /BACKUP_S3_ENDPOINT/)
})

test('BAK-18: files that move from a folder to S3 and back', async (t) => {
  const rig = new BackupRig(t)
  const source = await rig.filled('source')
  const server = await S3Server.start()
  t.after(() => server.close())
  const first = await runBackup(taskOf(rig, source))
  const { database } = await rig.empty('target')
  const blobs = await openBlobStore({ dataDir: database.dataDir, s3: server.options, log })
  const target = { database, blobs }
  await rig.restore(await openFolder(rig), target)
  const contents = await dumpFiles(source.blobs)
  assert.equal(server.objects.size, first.manifest.files.count)
  assert.deepEqual(await dumpFiles(blobs), contents)
  const second = await runBackup(taskOf(rig, target, { fileS3: plainS3(server.options) }))
  assert.equal(count(rig, 'objects/*/*'), first.manifest.files.count, 'the same files')
  const back = await rig.empty('back')
  await rig.restore(await openFolder(rig, second.id), back)
  assert.deepEqual(await dump(back.database), await dump(source.database))
  assert.deepEqual(await dumpFiles(back.blobs), contents)
})

/** Starts the schedule of a node. */
function startNode(t: TestContext, states: BackupStateStore, task: () => BackupTask) {
  const metrics = new Metrics(undefined)
  const { jobs = [] } = createBackupSchedule({
    everyMs: 3_600_000,
    task,
    states,
    metrics,
    clock: systemClock,
    log,
  })
  t.after(() => Promise.all(jobs.map((job) => job.stop())))
  for (const job of jobs) job.start()
  return { metrics, stop: () => Promise.all(jobs.map((job) => job.stop())) }
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 120_000
  while (!(await condition())) {
    assert.ok(performance.now() < deadline, 'nothing happened')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

onPostgres(({ acquire }) => {
  test('BAK-19: three nodes make one backup', async (t) => {
    const rig = new BackupRig(t)
    const { databaseUrl } = await acquire(t)
    const cloud = await rig.empty('cloud', { databaseUrl })
    await cloud.blobs.put('photos/orphan', oneChunk(Buffer.from('without a row')))
    const db = await openDatabase(cloud.database)
    t.after(() => db.destroy())
    const states = new BackupStateStore(db)
    const nodes = [1, 2, 3].map(() => startNode(t, states, () => taskOf(rig, cloud)))
    await until(async () => (await states.read()).lastGood !== undefined)
    await Promise.all(nodes.map((node) => node.stop()))
    assert.equal(count(rig, 'backups/*'), 1)
    const { lastGood, failure } = await states.read()
    assert.equal(failure, undefined)
    assert.ok(lastGood && lastGood.bytes > 0 && lastGood.place === rig.path('backups'))
    assert.equal(await states.claim('another', { everyMs: 3_600_000, retryMs: 0 }), false, 'it is not due')
    assert.equal(await states.claim('another'), true)
    assert.equal(await states.claim('third'), false, 'one at a time')
    assert.deepEqual([await states.renew('another'), await states.renew('third')], [true, false])
  })
})

test('BAK-20: a failed backup', async (t) => {
  const rig = new BackupRig(t)
  const cloud = await rig.filled('cloud')
  writeFileSync(rig.path('backups'), 'a file')
  const db = await openDatabase(cloud.database)
  t.after(() => db.destroy())
  await db.deleteFrom('backup_state').execute()
  const states = new BackupStateStore(db)
  const node = startNode(t, states, () => taskOf(rig, cloud))
  await until(async () => (await states.read()).failure !== undefined)
  const { failure, lastGood } = await states.read()
  assert.ok(failure && failure.text.length > 10)
  assert.equal(lastGood, undefined)
  await node.stop()
  assert.equal(await states.claim('another', { everyMs: 3_600_000, retryMs: 3_600_000 }), false)
  assert.equal(await states.claim('another', { everyMs: 3_600_000, retryMs: 0 }), true)
})
