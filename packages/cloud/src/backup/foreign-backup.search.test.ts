import assert from 'node:assert/strict'
import { readdirSync, writeFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'
import { packTar } from 'modern-tar'
import { sampleOf } from '../../test/support/search-share.ts'
import { DiskSpace } from '../blobs/index.ts'
import type { BackupKey } from './encryption.ts'
import { rehearseRestore } from './index.ts'
import { readBackup } from './read-backup.ts'
import { BackupRig, nobody, type TestedCloud } from './testing/backup-rig.ts'
import { ForgedBackup } from './testing/forged-backup.ts'

const USERS = 'rows/users/000001.jsonl.gz'
const FILES = 'file-lists/000001.jsonl.gz'
const MEBIBYTE = 1024 * 1024

describe('backups that are damaged, forged or foreign', () => {
  const cleanUps: (() => unknown)[] = []
  let rig: BackupRig
  let target: TestedCloud
  let good: ForgedBackup
  let goodTar: Buffer
  let aFile: string

  before(async () => {
    rig = new BackupRig({ after: (cleanUp: () => unknown) => void cleanUps.push(cleanUp) })
    target = await rig.empty('target')
    await rig.backUp(await rig.filled('source'), 'good.tar')
    good = await ForgedBackup.read(rig.path('good.tar'))
    goodTar = await good.tar()
    aFile = good.entries.find(({ name }) => name.startsWith('files/'))?.name ?? ''
  })
  after(async () => {
    for (const cleanUp of cleanUps) await cleanUp()
  })

  /** Checks that a restore refuses a file with a sentence, before it changes anything. */
  async function isRefused(content: Uint8Array, reason: RegExp, what?: string, key?: BackupKey) {
    writeFileSync(rig.path('bad.tar'), content)
    await assert.rejects(
      rig.restore(rig.source('bad.tar', key), target),
      (error: Error) => {
        assert.equal(error.name, 'BackupError', `${what}: ${error.stack}`)
        assert.match(error.message, /^[A-Z/].*\.$/, what)
        assert.match(error.message, reason, what)
        return true
      },
      what,
    )
    assert.deepEqual(readdirSync(rig.path('target')), ['blobs'], what)
    assert.deepEqual(readdirSync(rig.path('target/blobs')), ['.uploads'], what)
  }

  /** The same for a change of the good backup, with a manifest that fits. */
  async function isForgeryRefused(change: (backup: ForgedBackup) => void, reason: RegExp, what?: string) {
    const backup = good.copy()
    change(backup)
    await isRefused(await (await backup.seal()).tar(), reason, what ?? String(change))
  }

  test('BAK-5: an unchanged backup is accepted', async () => {
    await (await good.copy().seal()).write(rig.path('same.tar'))
    await rig.verify(rig.source('same.tar'))
  })

  test('BAK-5: links, folders and devices', async () => {
    for (const type of ['symlink', 'link', 'directory', 'fifo', 'character-device', 'block-device'] as const)
      await isForgeryRefused(
        (backup) =>
          backup.insert(FILES, {
            name: 'files/photos/x',
            content: Buffer.alloc(0),
            tar: { type, linkname: '/etc/passwd' },
          }),
        /damaged or was changed \(files\/photos\/x/,
        type,
      )
  })

  test('BAK-5: names that lead out of the folder, and unknown ones', async () => {
    for (const name of [
      'files/../../x',
      'files/photos/../x',
      'files//etc/passwd',
      '/etc/passwd',
      '../x',
      'files/.hidden',
      'files/C:\\x',
      'files/',
      'rows/../users/000001.jsonl.gz',
      'rows/users/1.jsonl.gz',
      'notes.txt',
      `files/${'x'.repeat(300)}`,
    ])
      await isForgeryRefused(
        (backup) => backup.insert(FILES, { name, content: Buffer.from('x'), tar: { size: 1 } }),
        /damaged or was changed/,
        name,
      )
  })

  test('BAK-5: entries that are repeated, missing or out of order', async () => {
    const repeat = (name: string, before = name) =>
      isForgeryRefused(
        (backup) => backup.insert(before, { ...backup.find(name) }),
        /damaged or was changed/,
        `${name} twice`,
      )
    for (const name of ['backup.json', 'secrets.json', USERS, aFile, FILES, 'manifest.json'])
      await repeat(name)
    await repeat(aFile, 'manifest.json')
    for (const name of ['backup.json', 'secrets.json', USERS, aFile, FILES, 'manifest.json.sha256']) {
      const backup = good.copy()
      await backup.seal()
      backup.entries = backup.entries.filter((entry) => entry.name !== name)
      await isRefused(await backup.tar(), /damaged or was changed|does not accept/, `without ${name}`)
    }
    await isForgeryRefused((backup) => {
      backup.insert('manifest.json', { ...backup.find('secrets.json') })
      backup.entries.splice(1, 1)
    }, /damaged or was changed \(/)
    const late = await good.copy().seal()
    late.entries.push({ name: 'files/photos/late', content: Buffer.from('x') })
    await isRefused(await late.tar(), /damaged or was changed \(files\/photos\/late\)/)
    await isForgeryRefused(
      (backup) => backup.editLines(FILES, (lines) => [...lines, { key: aFile.slice(6), state: 'deleted' }]),
      /damaged or was changed/,
      'stored and deleted',
    )
  })

  test('BAK-5: foreign tables and columns', async () => {
    const edit = (change: (header: ForgedBackup['header']) => void, reason: RegExp) =>
      isForgeryRefused(
        (backup) => {
          const { header } = backup
          change(header)
          backup.header = header
        },
        reason,
        String(change),
      )
    for (const name of ['hats', 'user_sessions', 'schema_migrations', 'constructor', 'sqlite_master'])
      await edit(
        ({ tables }) => tables.push({ name, columns: [{ name: 'id', type: 'text' }] }),
        new RegExp(`rows of a table ${name}, which this program does not back up`),
      )
    await edit(
      ({ tables }) => tables[0]?.columns.push({ name: 'hat', type: 'text' }),
      /other columns .*\(hat\)/,
    )
    await edit(({ tables }) => tables[0]?.columns.pop(), /other columns of the table/)
    await edit(({ tables }) => {
      const [table] = tables
      if (table?.columns[1])
        table.columns[1] = { ...table.columns[0], name: table.columns[0]?.name ?? '', type: 'text' }
    }, /other columns of the table/)
    await edit(({ tables }) => tables.push(...tables.slice(0, 1)), /damaged or was changed \(backup.json\)/)
    await edit(({ tables }) => Object.assign(tables[0] ?? {}, { name: 'x"; drop table users' }), /damaged/)
    await edit(({ migrations }) => migrations.splice(0, 1, '9998-later'), /lacks migrations that others need/)
    await edit((header) => {
      header.migrations.push('9999-later')
      header.databaseVersion = { version: '99.0.0', oldestVersion: '99.0.0' }
    }, /which this version .* cannot use \(it has the migration 9999-later\)/)
    await edit(
      (header) => Object.assign(header, { formatVersion: 2 }),
      /has the format 2, and this version reads up to 1/,
    )
  })

  test('BAK-5: values that do not fit their columns, and rows that do not fit each other', async () => {
    const { columns = [] } = good.header.tables.find(({ name }) => name === 'users') ?? {}
    const id = columns.findIndex(({ name }) => name === 'id')
    const createdAt = columns.findIndex(({ name }) => name === 'created_at')
    const withCell = (index: number, cell: unknown) => (backup: ForgedBackup) =>
      backup.editLines(USERS, ([row, ...others]) => [(row as unknown[]).with(index, cell), ...others])
    await isForgeryRefused(withCell(createdAt, 'yesterday'), /another type in the column users\.created_at/)
    await isForgeryRefused(
      withCell(createdAt, { base64: 'AAAA' }),
      /another type in the column users\.created_at/,
    )
    await isForgeryRefused(withCell(id, 7), /another type in the column users\.id/)
    await isForgeryRefused(withCell(id, null), /does not accept the rows of users/)
    for (const cell of [true, ['x'], {}, { base64: 1 }])
      await isForgeryRefused(withCell(id, cell), /damaged or was changed \(rows\/users/, JSON.stringify(cell))
    const lines = (text: string, reason: RegExp) =>
      isForgeryRefused((backup) => backup.setText(USERS, text), reason, text)
    const row = JSON.stringify(columns.map(({ type }) => (type === 'text' ? 'x' : 1)))
    await lines(row.replace(',1,', ',1e999,'), /damaged or was changed/)
    await lines(row.slice(0, -1), /damaged or was changed/)
    await lines('[]\n', /damaged or was changed/)
    await lines('{"id":"x"}\n', /damaged or was changed/)
    await lines(`${row}\n${row}\n`, /does not accept the rows of users/)
    // Nothing else in the backup refers to users that do not exist.
    await lines(`${row}\n`, /does not accept the rows of/)
  })

  test('BAK-5: rows that name files which are not listed', async () => {
    await isForgeryRefused((backup) => {
      backup.editLines(FILES, (lines) =>
        lines.filter((line) => (line as { key: string }).key !== aFile.slice(6)),
      )
      backup.entries = backup.entries.filter(({ name }) => name !== aFile)
    }, /damaged or was changed|name 1 files that it does not contain/)
  })

  test('BAK-5: cut off at the boundary of each entry and block, and within', async () => {
    const ends = new Set([0, 1, 100])
    for (let offset = 0; offset + 512 <= goodTar.length; ) {
      const size = Number.parseInt(String(goodTar.subarray(offset + 124, offset + 135)), 8) || 0
      const content = offset + 512
      for (const at of [offset, content, content + size, content + Math.ceil(size / 512) * 512]) ends.add(at)
      ends.add(content - 1)
      if (size > 1) ends.add(content + size - 1)
      offset = content + Math.ceil(size / 512) * 512
    }
    for (const end of sampleOf([...ends].filter((each) => each < goodTar.length))) {
      writeFileSync(rig.path('bad.tar'), goodTar.subarray(0, end))
      await assert.rejects(
        readBackup(rig.source('bad.tar'), nobody),
        /damaged or was changed/,
        `cut at ${end}`,
      )
    }
    for (const end of [...ends].slice(-3))
      await isRefused(goodTar.subarray(0, end - 1), /damaged or was changed/, `cut at ${end - 1}`)
  })

  test('BAK-5: a changed byte in each entry', async () => {
    for (const { name, content } of sampleOf(good.entries)) {
      const backup = good.copy()
      const changed = Buffer.from(content)
      changed[changed.length >> 1] = (changed[changed.length >> 1] ?? 0) ^ 1
      backup.find(name).content = changed
      await backup.write(rig.path('bad.tar'))
      await assert.rejects(
        readBackup(rig.source('bad.tar'), nobody),
        /^BackupError: .*(damaged|has the format)/,
        name,
      )
    }
  })

  test('BAK-14: parts that are small in the file and large when they are read', async () => {
    const bomb = gzipSync(Buffer.alloc(80 * MEBIBYTE, ' '))
    assert.ok(bomb.length < MEBIBYTE)
    await isForgeryRefused((backup) => backup.replace(USERS, bomb), /damaged or was changed \(rows\/users/)
    await isForgeryRefused((backup) => backup.replace(FILES, bomb), /damaged or was changed \(file-lists/)
    const large = Buffer.alloc(33 * MEBIBYTE, ' ')
    for (const name of ['backup.json', 'secrets.json', 'manifest.json']) {
      const backup = await good.copy().seal()
      backup.find(name).content = large
      await isRefused(await backup.tar(), /damaged or was changed/, name)
    }
  })

  test('BAK-14: entries that declare another size than they have', async () => {
    const declared = async (size: number) => {
      const backup = await good.copy().seal()
      const tar = await backup.tar()
      const header = tar.subarray(tar.indexOf(aFile), tar.indexOf(aFile) + 512)
      header.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
      header.fill(' ', 148, 156)
      const sum = header.reduce((total, byte) => total + byte, 0)
      header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
      return tar
    }
    const size = good.find(aFile).content.length
    for (const wrong of [0, size - 1, size + 1, size + 512, 8 * 1024 * MEBIBYTE - 1])
      await isRefused(await declared(wrong), /damaged or was changed/, String(wrong))
    const manifest = await good.copy().seal(({ files }) => Object.assign(files, { bytes: 1 }))
    await isRefused(await manifest.tar(), /damaged or was changed \(manifest\.json\)/)
  })

  test('BAK-14: a disk without space for rows or files', async () => {
    const full = { scratchFolder: rig.folder, reserveBytes: Number.MAX_SAFE_INTEGER }
    await assert.rejects(
      rehearseRestore(rig.source('good.tar'), full, async () => {}),
      /^BackupError: The disk of .* has no space for a temporary database\. Set TMPDIR/,
    )
    await assert.rejects(
      rig.restore(rig.source('good.tar'), target, [], new DiskSpace(rig.folder, Number.MAX_SAFE_INTEGER)),
      /^BackupError: The files of the backup need 1 MB, but the disk has 0 MB/,
    )
    assert.deepEqual(readdirSync(rig.path('target')), ['blobs'])
  })

  test('BAK-5: files that are no backups', async () => {
    const foreign = await packTar([{ header: { name: 'notes.txt', size: 2 }, data: new Uint8Array(2) }])
    for (const [what, content] of Object.entries({
      tar: foreign,
      'empty tar': await packTar([]),
      empty: Buffer.alloc(0),
      text: Buffer.from('hello\n'.repeat(1_000)),
      zeros: Buffer.alloc(100_000),
      gzip: gzipSync(goodTar),
      'armored age': Buffer.from(
        '-----BEGIN AGE ENCRYPTED FILE-----\nYWdl\n-----END AGE ENCRYPTED FILE-----\n',
      ),
    }))
      await isRefused(content, /damaged or was changed/, what)
  })

  test('BAK-11: foreign and damaged age files, and wrong keys', async () => {
    const [identity, other] = [await generateX25519Identity(), await generateX25519Identity()]
    const encrypt = async (content: Uint8Array, passphrase?: string) => {
      const encrypter = new Encrypter()
      if (passphrase === undefined) encrypter.addRecipient(await identityToRecipient(identity))
      else {
        encrypter.setPassphrase(passphrase)
        encrypter.setScryptWorkFactor(8)
      }
      return encrypter.encrypt(content)
    }
    const own = { identities: [identity] }
    await isRefused(await encrypt(Buffer.from('a letter')), /damaged or was changed/, 'a letter', own)
    await isRefused(await encrypt(new Uint8Array()), /damaged or was changed/, 'nothing', own)
    const sealed = await encrypt(goodTar)
    await isRefused(sealed, /is encrypted\. Name the file/, 'no key')
    await isRefused(sealed, /cannot be decrypted with this key/, 'another key', { identities: [other] })
    await isRefused(sealed, /cannot be decrypted with this key/, 'a passphrase', {
      passphrase: 'a passphrase',
    })
    const locked = await encrypt(goodTar, 'correct horse battery')
    await isRefused(locked, /cannot be decrypted with this key/, 'wrong passphrase', { passphrase: 'wrong' })
    await isRefused(locked, /cannot be decrypted with this key/, 'a key', own)
    const headerEnd = Buffer.from(sealed).indexOf('\n---')
    for (const end of [5, headerEnd, 250, 64 * 1024, sealed.length - 1])
      await isRefused(sealed.subarray(0, end), /damaged|cannot be decrypted/, `cut at ${end}`, own)
    await isRefused(Buffer.concat([sealed, Buffer.from('x')]), /damaged/, 'with more', own)
  })
})
