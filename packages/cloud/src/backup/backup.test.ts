import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { sql } from 'kysely'
import { VERSION } from '../config/index.ts'
import { migrate, openDatabase, openSqlite, type Program, THIS_PROGRAM } from '../db/index.ts'
import { eachDatabase } from '../db/testing.ts'
import { BackupError } from './index.ts'
import { readBackup } from './read-backup.ts'
import { withSnapshot } from './snapshot-store.ts'
import { TABLES } from './tables.ts'
import { BackupRig, nobody, SECRET, withGet } from './testing/backup-rig.ts'
import { dump, dumpFiles, listNamedFiles } from './testing/filled-cloud.ts'
import { ForgedBackup } from './testing/forged-backup.ts'

eachDatabase(({ createEmpty, acquire, open, name }) => {
  test(`BAK-1: every row and file, from SQLite to ${name} and back`, async (t) => {
    const rig = new BackupRig(t)
    const source = await rig.filled('source')
    const written = await rig.backUp(source, 'one.tar')
    assert.deepEqual(await rig.verify(rig.source('one.tar')), written.manifest)
    assert.ok(written.manifest.files.count > 5)
    const { databaseUrl } = await createEmpty(t)
    const target = await rig.empty('target', { databaseUrl })
    await rig.restore(rig.source('one.tar'), target)
    const rows = await dump(source.database)
    assert.deepEqual(await dump(target.database), rows)
    assert.deepEqual(await dumpFiles(target.blobs), await dumpFiles(source.blobs))
    await rig.backUp(target, 'two.tar')
    const back = await rig.empty('back')
    await rig.restore(rig.source('two.tar'), back)
    assert.deepEqual(await dump(back.database), rows)
    assert.deepEqual(await dumpFiles(back.blobs), await dumpFiles(source.blobs))
  })

  test('BAK-2: rows that are written while a snapshot is read', async (t) => {
    const options = await acquire(t)
    const db = await openDatabase(options)
    t.after(() => db.destroy())
    const add = (id: string) => {
      const user = {
        id,
        email: id,
        name: '',
        profile: '{}',
        tokens_valid_from: 0,
        created_at: 1,
        updated_at: 1,
      }
      return db.insertInto('users').values(user).execute()
    }
    await add('before')
    const snapshot = { databaseUrl: options.databaseUrl, dataDir: options.dataDir }
    const read = await withSnapshot(
      snapshot,
      () => () => true,
      async ({ rows }) => {
        await add('during')
        await db.updateTable('users').set({ name: 'changed' }).execute()
        const batches = []
        for await (const batch of rows('users', ['id', 'name'])) batches.push(batch)
        return batches
      },
    )
    assert.deepEqual(read, [[['before', '']]])
  })

  test('BAK-3: files that are deleted meanwhile, and lost ones', async (t) => {
    const rig = new BackupRig(t)
    const source = await rig.filled('source')
    const db = await openDatabase(source.database)
    const [photo] = await db.selectFrom('gallery_photos').selectAll().execute()
    assert.ok(photo)
    const deleted = `photos/${photo.user_id}/${photo.id}`
    const image = await db.selectFrom('apps').select(['id', 'logo_url']).executeTakeFirstOrThrow()
    const deletedImage = image.logo_url.replace('/api/', '')
    const lost = (await listNamedFiles(db)).find((key) => key.startsWith('incidents/')) ?? ''
    await source.blobs.delete(lost)
    const blobs = withGet(source.blobs, async (key) => {
      if (key === deleted) await db.deleteFrom('gallery_photos').where('id', '=', photo.id).execute()
      if (key === deletedImage)
        await db.updateTable('apps').set({ logo_url: '' }).where('id', '=', image.id).execute()
      if (key === deleted || key === deletedImage) await source.blobs.delete(key)
      return source.blobs.get(key)
    })
    const { manifest } = await rig.backUp({ ...source, blobs }, 'one.tar')
    await db.destroy()
    assert.deepEqual([manifest.files.deleted, manifest.files.missing], [2, 1])
    const { databaseUrl } = await acquire(t)
    const target = await rig.empty('target', { databaseUrl })
    await rig.restore(rig.source('one.tar'), target)
    const restored = await openDatabase(target.database)
    t.after(() => restored.destroy())
    assert.equal((await restored.selectFrom('gallery_photos').selectAll().execute()).length, 1)
    const usage = await restored
      .selectFrom('gallery_usage')
      .selectAll()
      .where('user_id', '=', photo.user_id)
      .execute()
    assert.deepEqual(
      usage.map(({ photos, bytes }) => [photos, bytes]),
      [[0, 0]],
    )
    const app = await restored
      .selectFrom('apps')
      .selectAll()
      .where('id', '=', image.id)
      .executeTakeFirstOrThrow()
    assert.deepEqual([app.logo_url, JSON.parse(app.screenshots).length], ['', 1])
    const named = await listNamedFiles(restored)
    assert.deepEqual(
      named.filter((key) => key !== lost),
      Object.keys(await dumpFiles(target.blobs)).sort(),
    )
    assert.ok(named.includes(lost))
  })

  test('BAK-4: each table has a decision', async (t) => {
    const tables = (await (await open(t)).introspection.getTables()).map((table) => table.name)
    const own = tables.filter((table) => !table.startsWith('schema_migrations'))
    assert.deepEqual(Object.keys(TABLES).sort(), own.sort())
  })

  test('BAK-6: a cloud that is not empty, in use, or not of this program', async (t) => {
    const rig = new BackupRig(t)
    await rig.backUp(await rig.filled('source'), 'one.tar')
    const { databaseUrl } = await acquire(t)
    const target = await rig.empty('target', { databaseUrl })
    const db = await openDatabase(target.database)
    await sql`select 1`.execute(db)
    await assert.rejects(rig.restore(rig.source('one.tar'), target), /^BackupError: A server .* Stop it/)
    await sql`create table foreign_things (id text)`.execute(db)
    await db.destroy()
    await assert.rejects(rig.restore(rig.source('one.tar'), target), /has a table foreign_things/)
    const again = await openDatabase(target.database)
    await sql`drop table foreign_things`.execute(again)
    const user = { id: 'u', email: 'a@b.c', name: '', profile: '{}', tokens_valid_from: 0, created_at: 1 }
    await again
      .insertInto('users')
      .values({ ...user, updated_at: 1 })
      .execute()
    await again.destroy()
    await assert.rejects(rig.restore(rig.source('one.tar'), target), /This cloud is not empty \(users: 1\)/)
    assert.deepEqual(await dumpFiles(target.blobs), {})
  })

  test('BAK-7: a restore that ends before its commit leaves an empty cloud, and is repeated', async (t) => {
    const rig = new BackupRig(t)
    const source = await rig.filled('source')
    await rig.backUp(source, 'one.tar')
    const { databaseUrl } = await acquire(t)
    const target = await rig.empty('target', { databaseUrl })
    let stored = 0
    const blobs = {
      ...target.blobs,
      list: target.blobs.list.bind(target.blobs),
      put: async (...args: Parameters<typeof target.blobs.put>) => {
        stored += 1
        if (stored === 3) throw new Error('the disk is gone')
        return target.blobs.put(...args)
      },
    }
    await assert.rejects(rig.restore(rig.source('one.tar'), { ...target, blobs }), /the disk is gone/)
    assert.deepEqual(Object.values(await dump(target.database)).flat(), [])
    await rig.restore(rig.source('one.tar'), target)
    assert.deepEqual(await dump(target.database), await dump(source.database))
    assert.deepEqual(await dumpFiles(target.blobs), await dumpFiles(source.blobs))
  })

  test('BAK-8: a database that a newer minor version migrated, backed up by this one', async (t) => {
    const rig = new BackupRig(t)
    const source = await rig.filled('source')
    const rows = await dump(source.database)
    const newer = await openSqlite(join(source.database.dataDir, 'glasses-cloud.db'))
    await migrate(newer, newerProgram)
    await sql`insert into hats (id, user_id) select 'hat', id from users limit 1`.execute(newer)
    await sql`update users set hat = 'bowler'`.execute(newer)
    await newer.destroy()
    const written = await rig.backUp(source, 'newer.tar')
    assert.equal(written.manifest.rows.hats, 1)
    const { databaseUrl } = await createEmpty(t)
    const target = await rig.empty('target', { databaseUrl })
    const loaded = await rig.restore(rig.source('newer.tar'), target)
    assert.deepEqual(loaded.leftOut.toSorted(), ['the column users.hat', 'the table hats'])
    assert.deepEqual(await dump(target.database), rows)
    // The newer version can migrate what this one restored.
    const restored = await openDatabase(target.database)
    t.after(() => restored.destroy())
    await migrate(restored, newerProgram)
  })

  test('BAK-8: a backup of a database with every migration from before 1.0.0', async (t) => {
    const rig = new BackupRig(t)
    const source = await rig.filled('source')
    await rig.backUp(source, 'one.tar')
    const backup = await ForgedBackup.read(rig.path('one.tar'))
    const { header } = backup
    const others = Array.from({ length: 41 }, (_, n) => `${String(n + 2).padStart(4, '0')}-x`)
    backup.header = { ...header, migrations: ['0001-initial', ...others, '0044-wake-words'] }
    await (await backup.seal()).write(rig.path('former.tar'))
    const { databaseUrl } = await createEmpty(t)
    const target = await rig.empty('target', { databaseUrl })
    assert.deepEqual((await rig.restore(rig.source('former.tar'), target)).leftOut, [])
    assert.deepEqual(await dump(target.database), await dump(source.database))
  })

  test('BAK-8: a backup of a newer version that excludes this one', async (t) => {
    const rig = new BackupRig(t)
    const source = await rig.filled('source')
    await rig.backUp(source, 'one.tar')
    const backup = await ForgedBackup.read(rig.path('one.tar'))
    const { header } = backup
    header.migrations.push('9999-later')
    backup.header = { ...header, databaseVersion: { version: '99.1.0', oldestVersion: '99.0.0' } }
    await (await backup.seal()).write(rig.path('later.tar'))
    const { databaseUrl } = await createEmpty(t)
    await assert.rejects(
      rig.restore(rig.source('later.tar'), await rig.empty('target', { databaseUrl })),
      /of version 99\.1\.0, which this version .* cannot use .* Install version 99\.1\.0, or a later one/,
    )
  })

  test('BAK-8: a version that knows tables which the version that made the backup did not', async (t) => {
    const rig = new BackupRig(t)
    const source = await rig.filled('source')
    await rig.backUp(source, 'one.tar')
    const backup = await ForgedBackup.read(rig.path('one.tar'))
    // As an earlier version would: with rows of a table whose rows this version leaves out.
    const { header } = backup
    header.tables.push({ name: 'job_runs', columns: [{ name: 'name', type: 'text' }] })
    backup.header = { ...header, programVersion: '0.9.0' }
    const rows = { name: 'rows/job_runs/000001.jsonl.gz', content: gzipSync('["sweep"]\n') }
    backup.insert(backup.entries.find(({ name }) => name.startsWith('files/'))?.name ?? '', rows)
    await (await backup.seal()).write(rig.path('earlier.tar'))
    const { databaseUrl } = await createEmpty(t)
    const target = await rig.empty('target', { databaseUrl })
    assert.deepEqual((await rig.restore(rig.source('earlier.tar'), target)).leftOut, [])
    assert.deepEqual(await dump(target.database), await dump(source.database))
  })
})

/** A newer minor version, with a table and a column that this one does not know. */
const newerProgram: Program = {
  version: VERSION.replace(/\.\d+\.\d+$/, '.90.0'),
  migrations: {
    ...THIS_PROGRAM.migrations,
    '9001-hats': {
      summary: 'Adds hats.',
      async up(db) {
        await sql`create table hats (id text primary key, user_id text not null references users (id))`.execute(
          db,
        )
        await sql`alter table users add column hat text`.execute(db)
      },
    },
  },
}

test('BAK-5: a backup cut off anywhere, or with a changed byte', async (t) => {
  const rig = new BackupRig(t)
  const target = await rig.empty('target')
  await rig.backUp(await rig.filled('source'), 'one.tar')
  const whole = readFileSync(rig.path('one.tar'))
  const isRefused = async (content: Buffer, what: string) => {
    writeFileSync(rig.path('damaged.tar'), content)
    await assert.rejects(readBackup(rig.source('damaged.tar'), nobody), /^BackupError: .*[.]$/, what)
  }
  for (let n = 0; n < 60; n += 1) {
    const at = Math.floor((whole.length * n) / 60)
    await isRefused(whole.subarray(0, at), `cut off at ${at}`)
    // What fills an entry up to a multiple of 512 bytes has no meaning.
    const isPadding = whole.subarray(at, Math.ceil((at + 1) / 512) * 512).every((byte) => byte === 0)
    if (isPadding && at < whole.length - 1024) continue
    const changed = Buffer.from(whole)
    changed[at] = (changed[at] ?? 0) ^ 1
    await isRefused(changed, `changed at ${at}`)
  }
  await assert.rejects(rig.restore(rig.source('damaged.tar'), target), /BackupError/)
  assert.deepEqual(readdirSync(rig.path('target')), ['blobs'])
})

test('BAK-9: the secret of the backup', async (t) => {
  const rig = new BackupRig(t)
  await rig.backUp(await rig.filled('source'), 'one.tar')
  const other = await rig.empty('other')
  await assert.rejects(
    rig.restore(rig.source('one.tar'), other, ['another secret']),
    /AUTH_SECRET is not the secret/,
  )
  assert.deepEqual(readdirSync(rig.path('other')), ['blobs'])
  await rig.restore(rig.source('one.tar'), other, ['another secret', SECRET])
  assert.deepEqual(readdirSync(rig.path('other')).sort(), ['blobs', 'glasses-cloud.db'])
  const target = await rig.empty('target')
  await rig.restore(rig.source('one.tar'), target)
  assert.equal(readFileSync(rig.path('target/auth-secret'), 'utf8'), `${SECRET}\n`)
  assert.equal(statSync(rig.path('target/auth-secret')).mode & 0o777, 0o600)
})

test('BAK-10: the file of a backup', async (t) => {
  const rig = new BackupRig(t)
  const source = await rig.filled('source')
  const broken = withGet(source.blobs, () => Promise.reject(new Error('the disk is gone')))
  await assert.rejects(rig.backUp({ ...source, blobs: broken }, 'one.tar'), /the disk is gone/)
  assert.deepEqual(readdirSync(rig.folder), ['source'])
  writeFileSync(rig.path('one.tar.partial'), 'of a backup that was killed', { mode: 0o644 })
  await rig.backUp(source, 'one.tar')
  assert.deepEqual(readdirSync(rig.folder).sort(), ['one.tar', 'source'])
  assert.equal(statSync(rig.path('one.tar')).mode & 0o777, 0o600)
  await assert.rejects(rig.backUp(source, 'one.tar'), /one.tar exists\. Choose another name/)
  await assert.rejects(rig.backUp(source, 'missing/one.tar'), /cannot be written \(ENOENT\)/)
  await rig.verify(rig.source('one.tar'))
})

test('BAK-11: keys and passphrases', async (t) => {
  const rig = new BackupRig(t)
  const source = await rig.filled('source')
  const [identity, other] = [await generateX25519Identity(), await generateX25519Identity()]
  const recipient = await identityToRecipient(identity)
  await rig.backUp(source, 'key.age', { recipients: [recipient] })
  await rig.verify(rig.source('key.age', { identities: [other, identity] }))
  await assert.rejects(
    rig.verify(rig.source('key.age', { identities: [other] })),
    /cannot be decrypted with this key/,
  )
  await assert.rejects(rig.verify(rig.source('key.age')), /is encrypted\. Name the file/)
  await assert.rejects(
    rig.verify(rig.source('key.age', { identities: ['AGE'] })),
    /a line that is not AGE-SECRET-KEY/,
  )
  await assert.rejects(
    rig.backUp(source, 'none.age', { recipients: ['age1none'] }),
    /is not the public key of age/,
  )
  const whole = readFileSync(rig.path('key.age'))
  assert.ok(!whole.includes(SECRET) && !whole.includes('backup.json'))
  for (const at of [50, 300, whole.length / 2, whole.length - 1]) {
    const changed = Buffer.from(whole)
    changed[Math.floor(at)] = (changed[Math.floor(at)] ?? 0) ^ 1
    writeFileSync(rig.path('changed.age'), changed)
    await assert.rejects(
      readBackup(rig.source('changed.age', { identities: [identity] }), nobody),
      BackupError,
    )
    writeFileSync(rig.path('changed.age'), whole.subarray(0, at))
    await assert.rejects(
      readBackup(rig.source('changed.age', { identities: [identity] }), nobody),
      BackupError,
    )
  }
  const passphrase = 'correct horse battery staple'
  await rig.backUp(source, 'pass.age', { passphrase, workFactor: 8 })
  await readBackup(rig.source('pass.age', { passphrase }), nobody)
  await assert.rejects(
    readBackup(rig.source('pass.age', { passphrase: 'wrong' }), nobody),
    /cannot be decrypted/,
  )
})
