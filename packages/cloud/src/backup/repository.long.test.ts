import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { pino } from 'pino'
import { oneChunk, openBlobStore } from '../blobs/index.ts'
import { S3Server } from '../blobs/testing/s3-server.ts'
import { openDatabase } from '../db/index.ts'
import { onPostgres } from '../db/testing.ts'
import { Metrics } from '../http/metrics.ts'
import { systemClock } from '../time/index.ts'
import { createBackupSchedule, dueBefore } from './backup-schedule.ts'
import { BackupStateStore } from './backup-state-store.ts'
import type { BackupKey } from './encryption.ts'
import { openRepository, readPlace } from './place.ts'
import { type BackupTask, createLeaseGuard, plainS3, runBackup } from './run-backup.ts'
import { BackupRig, SECRET, type TestedCloud } from './testing/backup-rig.ts'
import { dump, dumpFiles } from './testing/filled-cloud.ts'

const log = pino({ level: 'silent' })

const CLI = fileURLToPath(new URL('../cli.ts', import.meta.url))

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

/** Backs up as `cli backup` does: with the lease of the cloud. */
async function backUp(task: BackupTask) {
  const db = await openDatabase({ databaseUrl: task.databaseUrl, dataDir: task.dataDir })
  const states = new BackupStateStore(db)
  try {
    await db.deleteFrom('backup_state').execute()
    assert.equal(await states.claim('test'), true)
    return await runBackup(task, 'test')
  } finally {
    await states.release('test')
    await db.destroy()
  }
}

async function openFolder(rig: BackupRig, id?: string, key: BackupKey = {}) {
  const place = await readPlace(`${rig.path('backups')}/`)
  assert.ok(place.kind === 'folder')
  return (await openRepository(place, undefined, log)).source(id, key)
}

async function openS3(server: S3Server, prefix: string) {
  const place = await readPlace(`s3://${server.bucket}/${prefix}`)
  assert.ok(place.kind === 's3')
  return openRepository(place, server.options, log)
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

/** Removes all photos, rows and files, and returns how to put them back. */
async function removePhotos({ database, blobs }: TestedCloud) {
  const db = await openDatabase(database)
  const rows = await db.deleteFrom('gallery_photos').returningAll().execute()
  await db.destroy()
  const files = rows.map(({ user_id, id }) => `photos/${user_id}/${id}`)
  const contents = await dumpFiles(blobs)
  for (const key of files) await blobs.delete(key)
  return {
    async putBack() {
      const db = await openDatabase(database)
      for (const key of files) await blobs.put(key, oneChunk(Buffer.from(contents[key] ?? '')))
      await db.insertInto('gallery_photos').values(rows).execute()
      await db.destroy()
    },
  }
}

test('BAK-15: a folder with several backups', async (t) => {
  const rig = new BackupRig(t)
  const source = await rig.filled('source')
  const first = await backUp(taskOf(rig, source))
  const files = first.manifest.files.count
  assert.equal(count(rig, 'objects/*/*'), files)
  const rows = await dump(source.database)
  const contents = await dumpFiles(source.blobs)
  await removePhoto(source)
  const second = await backUp(taskOf(rig, source))
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
  const first = await backUp(taskOf(rig, source))
  await removePhoto(source)
  mkdirSync(rig.path('backups/backups/killed'), { recursive: true })
  writeFileSync(rig.path('backups/backups/killed/backup.json'), '{}')
  mkdirSync(rig.path('backups/objects/00'), { recursive: true })
  writeFileSync(rig.path(`backups/objects/00/${'0'.repeat(64)}`), 'of a backup that was killed')
  const second = await backUp(taskOf(rig, source, { keep: 1 }))
  assert.equal(second.remains, undefined)
  assert.equal(count(rig, 'backups/*'), 1)
  assert.equal(count(rig, 'objects/*/*'), second.manifest.files.count)
  await assert.rejects(openFolder(rig, first.id), /contains no backup/)
  await rig.verify(await openFolder(rig))
  // A backup that is not stored as it was written is removed.
  rmSync(rig.path('backups/objects'), { recursive: true })
  writeFileSync(rig.path('backups/objects'), 'a file instead of a folder')
  await assert.rejects(backUp(taskOf(rig, source)))
  assert.equal(count(rig, 'backups/*'), 1)
})

test('BAK-16: the newest backup is kept, although the clock was set back', async (t) => {
  const rig = new BackupRig(t)
  const source = await rig.filled('source')
  const now = Date.now()
  const clock = t.mock.method(Date, 'now', () => now)
  const ids = []
  for (const time of [now, now, now - 3_600_000, now + 60_000]) {
    clock.mock.mockImplementation(() => time)
    ids.push((await backUp(taskOf(rig, source, { keep: 1 }))).id)
    assert.deepEqual(readdirSync(rig.path('backups/backups')), ids.slice(-1))
  }
  assert.deepEqual(ids, ids.toSorted())
})

test('BAK-16: a place that rejects deletions keeps old backups, and the new one succeeds', async (t) => {
  const rig = new BackupRig(t)
  const source = await rig.filled('source')
  const server = await S3Server.start()
  t.after(() => server.close())
  const task = taskOf(rig, source, { to: `s3://${server.bucket}/x`, s3: plainS3(server.options), keep: 1 })
  const first = await backUp(task)
  server.fault = ({ method }) => (method === 'DELETE' ? { status: 403, code: 'AccessDenied' } : undefined)
  const second = await backUp(task)
  assert.match(second.remains ?? '', /^Old backups were not removed: .* may not read, write, list and delete/)
  const repository = await openS3(server, 'x')
  t.after(() => repository.close())
  assert.deepEqual(await repository.list(), [first.id, second.id])
  await rig.verify(await repository.source(undefined, {}))
})

test('BAK-21: a place with the backups of another cloud', async (t) => {
  const rig = new BackupRig(t)
  const first = await backUp(taskOf(rig, await rig.filled('first')))
  const entries = () => globSync('**/*', { cwd: rig.path('backups') }).sort()
  const before = entries()
  const other = await rig.filled('other')
  await assert.rejects(backUp(taskOf(rig, other, { keep: 1 })), /contains the backups of another cloud/)
  assert.deepEqual(entries(), before)
  rmSync(rig.path('backups/cloud'))
  await backUp(taskOf(rig, other))
  await rig.verify(await openFolder(rig, first.id))
})

test('BAK-25: a place that lost the last backup, such as the folder of a disk that is not mounted', async (t) => {
  const rig = new BackupRig(t)
  const cloud = await rig.filled('cloud')
  const db = await openDatabase(cloud.database)
  t.after(() => db.destroy())
  const states = new BackupStateStore(db)
  const run = async () => {
    await states.release('test')
    assert.equal(await states.claim('test'), true)
    const backup = await runBackup(taskOf(rig, cloud), 'test')
    await states.succeed('test', backup)
  }
  await db.deleteFrom('backup_state').execute()
  await run()
  rmSync(rig.path('backups/cloud'))
  await run()
  renameSync(rig.path('backups'), rig.path('unmounted'))
  await assert.rejects(run(), (error: Error) => {
    assert.match(error.message, /does not contain the backups that were written to it.*not mounted/)
    writeFileSync(rig.path('backups/cloud'), `${error.message.split(' ').at(-1)}\n`)
    return true
  })
  assert.equal(count(rig, 'backups/*'), 0)
  await run()
})

test('BAK-22: a process that was suspended while it removed files, and whose lease another process has', async (t) => {
  const rig = new BackupRig(t)
  const cloud = await rig.filled('cloud')
  const server = await S3Server.start()
  t.after(() => server.close())
  const to = `s3://${server.bucket}/x`
  const db = await openDatabase(cloud.database)
  t.after(() => db.destroy())
  await backUp(taskOf(rig, cloud, { to, s3: plainS3(server.options) }))
  const photos = await removePhotos(cloud)
  // The command removes the first backup, and then the files of the photos, and stops before the first of these.
  const isSuspended = Promise.withResolvers<void>()
  server.fault = ({ method, key }) => {
    if (method === 'DELETE' && key.startsWith('x/objects/') && !child.killed) {
      child.kill('SIGSTOP')
      isSuspended.resolve()
    }
    return undefined
  }
  const { endpoint, region, accessKeyId, secretAccessKey } = server.options
  const child = spawn(process.execPath, [CLI, 'backup', '--to', to], {
    cwd: rig.folder,
    env: {
      AUTH_SECRET: SECRET,
      DATA_DIR: cloud.database.dataDir,
      BACKUP_KEEP: '1',
      BACKUP_S3_ENDPOINT: endpoint.href,
      BACKUP_S3_REGION: region,
      BACKUP_S3_ACCESS_KEY_ID: accessKeyId,
      BACKUP_S3_SECRET_ACCESS_KEY: secretAccessKey,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  t.after(() => child.kill('SIGKILL'))
  const errors = text(child.stderr)
  const closed = once(child, 'close')
  await isSuspended.promise
  const suspendedAt = performance.now()
  await photos.putBack()
  const second = await backUp(taskOf(rig, cloud, { to, s3: plainS3(server.options) }))
  // It relies on its lease for a second, of the minute that it lasts.
  await until(async () => performance.now() > suspendedAt + 1_100)
  const requests = server.log.length
  child.kill('SIGCONT')
  assert.deepEqual(await closed, [1, null])
  assert.match(await errors, /another process makes one now|The lease was lost/)
  const later = server.log.slice(requests).filter((line) => /^(PUT|DELETE)/.test(line))
  assert.deepEqual(later, [], 'it writes and deletes nothing more')
  const repository = await openS3(server, 'x')
  t.after(() => repository.close())
  await rig.verify(await repository.source(second.id, {}))
})

test('BAK-22: a lease is relied on for a second, and a short outage of the database does not end it', async () => {
  let now = 0
  let answer: boolean | Error = true
  const renew = async () => {
    if (answer instanceof Error) throw answer
    return answer
  }
  const guard = createLeaseGuard({ renew }, 'one', undefined, () => now)
  await guard()
  answer = new Error('the database is away')
  now = 29_000
  await guard()
  now = 31_000
  await assert.rejects(guard(), /the database is away/)
  answer = false
  await assert.rejects(guard(), /another process makes one now/)
})

test('BAK-22: a file that disappears from the place while a backup is made', async (t) => {
  const rig = new BackupRig(t)
  const source = await rig.filled('source')
  await backUp(taskOf(rig, source))
  const server = await S3Server.start()
  t.after(() => server.close())
  const task = taskOf(rig, source, { to: `s3://${server.bucket}/x`, s3: plainS3(server.options) })
  await backUp(task)
  server.fault = ({ method, key }) => {
    const [object = ''] = [...server.objects.keys()].filter((name) => name.startsWith('x/objects/'))
    if (method === 'PUT' && key.endsWith('/manifest.json')) server.objects.delete(object)
    return undefined
  }
  await assert.rejects(backUp(task), /lost the file .* while the backup was made/)
  assert.equal([...server.objects.keys()].filter((key) => key.endsWith('.sha256')).length, 1)
})

test('BAK-17: an encrypted repository, with a passphrase or a public key', async (t) => {
  const rig = new BackupRig(t)
  const source = await rig.filled('source')
  const passphrase = 'correct horse battery'
  await backUp(taskOf(rig, source, { lock: { passphrase, workFactor: 8 } }))
  const second = await backUp(taskOf(rig, source, { lock: { passphrase, workFactor: 8 } }))
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
  const third = await backUp(taskOf(rig, source, { lock, keep: 2 }))
  const fourth = await backUp(taskOf(rig, source, { lock, keep: 1 }))
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
  const written = await backUp(taskOf(rig, source, { to: `s3://${server.bucket}/nightly`, s3 }))
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
    backUp(taskOf(rig, source, { to: `s3://${server.bucket}/nightly`, s3 })),
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
  const first = await backUp(taskOf(rig, source))
  const { database } = await rig.empty('target')
  const blobs = await openBlobStore({ dataDir: database.dataDir, s3: server.options, log })
  const target = { database, blobs }
  await rig.restore(await openFolder(rig), target)
  const contents = await dumpFiles(source.blobs)
  assert.equal(server.objects.size, first.manifest.files.count)
  assert.deepEqual(await dumpFiles(blobs), contents)
  // The restored cloud replaces the first one.
  rmSync(rig.path('backups/cloud'))
  const second = await backUp(taskOf(rig, target, { fileS3: plainS3(server.options) }))
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
    at: undefined,
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
    assert.equal(
      await states.claim('another', { before: Date.now() - 3_600_000, retryMs: 0 }),
      false,
      'it is not due',
    )
    assert.equal(await states.claim('another'), true)
    assert.equal(await states.claim('third'), false, 'one at a time')
    assert.deepEqual([await states.renew('another'), await states.renew('third')], [true, false])
    const due = { before: Date.now() + 3_600_000, retryMs: 3_600_000 }
    assert.equal(await states.claim('third', due), false)
    // The other process dies, and the minute of its lease passes.
    await db.updateTable('backup_state').set({ lease_until: 1 }).execute()
    assert.equal(await states.claim('third', due), true)
    await states.fail('third', 'no reason')
    assert.equal(await states.claim('fourth', due), false, 'a failed one is repeated later')
  })
})

test('BAK-24: the time of day of backups', (t) => {
  const { TZ } = process.env
  t.after(() => {
    if (TZ === undefined) delete process.env.TZ
    else process.env.TZ = TZ
  })
  process.env.TZ = 'Europe/Berlin'
  const at = { hour: 3, minute: 0 }
  const day = 24 * 3_600_000
  const dueAt = (now: string, everyMs = day) =>
    new Date(dueBefore(Date.parse(now), everyMs, at)).toISOString()
  assert.equal(dueAt('2026-01-15T01:59:00Z'), '2026-01-14T02:00:00.000Z')
  assert.equal(dueAt('2026-01-15T02:00:00Z'), '2026-01-15T02:00:00.000Z')
  // In summer an hour earlier; the day of the change has 23 hours.
  assert.equal(dueAt('2026-03-29T01:00:00Z'), '2026-03-29T01:00:00.000Z')
  assert.equal(dueAt('2026-03-29T00:59:00Z'), '2026-03-28T02:00:00.000Z')
  // Once a week: that of the 8th is not due again before the 15th.
  assert.equal(dueAt('2026-01-14T12:00:00Z', 7 * day), '2026-01-08T02:00:00.000Z')
  assert.equal(dueAt('2026-01-15T02:00:00Z', 7 * day), '2026-01-09T02:00:00.000Z')
  assert.equal(dueBefore(5 * day, day, undefined), 4 * day)
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
  const { failure, lastGood, unprotectedSince } = await states.read()
  assert.ok(failure && failure.text.length > 10)
  assert.equal(lastGood, undefined)
  assert.ok(unprotectedSince && unprotectedSince > Date.now() - 3_600_000)
  await node.stop()
  assert.equal(await states.claim('another', { before: Date.now() - 3_600_000, retryMs: 3_600_000 }), false)
  assert.equal(await states.claim('another', { before: Date.now() - 3_600_000, retryMs: 0 }), true)
})
