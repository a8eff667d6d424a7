import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { cli, cliWithInput } from '../support/cli.ts'

function setUp(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'glasses-cloud-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return { folder, path: (name: string) => join(folder, name), env: { DATA_DIR: join(folder, 'data') } }
}

test('BAK-13: a backup of the command line is verified and restored', async (t) => {
  const { folder, path, env } = setUp(t)
  await cli(env, 'user', 'admin', 'ada@example.org')
  const backup = await cli(env, 'backup', '--to', path('one.tar'))
  assert.match(backup.out, /^Backup \S+: \d+ rows and 0 files, [\d.]+ KiB written to /)
  assert.match(backup.err, /not encrypted and contains secrets/)
  const verified = await cli(env, 'verify', path('one.tar'))
  assert.deepEqual([verified.code, verified.err], [0, ''])
  assert.match(verified.out, /^users +1 rows$/m)
  assert.match(verified.out, /The backup is complete/)
  const report = JSON.parse((await cli(env, 'verify', path('one.tar'), '--json')).out)
  assert.equal(report.rows.users, 1)

  writeFileSync(path('half.tar'), readFileSync(path('one.tar')).subarray(0, 9_000))
  const damaged = await cli(env, 'verify', path('half.tar'))
  assert.equal(damaged.code, 1)
  assert.match(
    damaged.err,
    /^The backup is damaged or was changed \(.*\)\. Use another backup; nothing was restored\.\n$/,
  )
  assert.match((await cli(env, 'verify', path('none.tar'))).err, /none\.tar cannot be read \(ENOENT\)\.\n$/)

  const refused = await cli(env, 'restore', path('one.tar'))
  assert.equal(refused.code, 1)
  assert.match(refused.err, /This cloud is not empty \(users: 1\)/)
  const other = { DATA_DIR: path('other') }
  const restored = await cli(other, 'restore', path('one.tar'))
  assert.equal(restored.code, 0, restored.err)
  assert.match((await cli(other, 'user', 'list')).out, /ada@example\.org/)
  assert.equal(
    readFileSync(path('other/auth-secret'), 'utf8'),
    readFileSync(path('data/auth-secret'), 'utf8'),
  )
  assert.deepEqual(readdirSync(folder).sort(), ['data', 'half.tar', 'one.tar', 'other'])
})

test('BAK-12: passphrases from a file and from standard input', async (t) => {
  const { path, env } = setUp(t)
  writeFileSync(path('passphrase'), 'correct horse battery\nsecond line\n')
  writeFileSync(path('short'), 'short\n')
  const option = ['--passphrase-file', path('passphrase')]
  const backup = await cli(env, 'backup', '--to', path('one.age'), ...option)
  assert.deepEqual([backup.code, backup.err], [0, ''])
  assert.equal((await cli(env, 'verify', path('one.age'), ...option)).code, 0)
  const short = await cli(env, 'backup', '--to', path('two.age'), '--passphrase-file', path('short'))
  assert.match(short.err, /at least 12 characters/)
  const typed = await cliWithInput(
    env,
    'typed passphrase\n',
    'backup',
    '--to',
    path('three.age'),
    '--encrypt',
  )
  assert.deepEqual([typed.code, typed.err], [0, ''])
  const missing = await cliWithInput(env, '', 'backup', '--to', path('four.age'), '--encrypt')
  assert.match(missing.err, /The passphrase is missing/)
  const argument = await cli(env, 'backup', '--to', path('five.age'), '--passphrase', 'typed passphrase')
  assert.equal(argument.code, 2)
})

test('BAK-20: doctor shows the last backup of a repository, and why one failed', async (t) => {
  const { path, env } = setUp(t)
  const scheduled = { ...env, BACKUP_TO: path('backups'), BACKUP_EVERY: '24h' }
  const shown = async () =>
    (await cli(scheduled, 'doctor')).out.split('\n').find((line) => / backup /.test(line))
  assert.match((await cli(env, 'doctor')).out, /^note +backup +no backups are scheduled; set BACKUP_TO/m)
  assert.match((await shown()) ?? '', /^note +backup +there is no verified backup yet/)
  const backup = await cli(scheduled, 'backup')
  assert.equal(backup.code, 0, backup.err)
  assert.match((await shown()) ?? '', /^ok +backup +verified 0 h ago, 1 MiB in /)
  assert.equal((await cli(scheduled, 'verify', path('backups'))).code, 0)
  rmSync(path('backups'), { recursive: true })
  writeFileSync(path('backups'), 'a file')
  assert.equal((await cli(scheduled, 'backup')).code, 1)
  assert.match((await shown()) ?? '', /^error +backup +the last one failed at .*; verified 0 h ago/)
  const invalid = await cli({ ...env, BACKUP_EVERY: '1m' }, 'doctor')
  assert.match(invalid.out, /BACKUP_EVERY must be at least 10m/)
  const daily = await cli({ ...env, BACKUP_EVERY: '12h', BACKUP_AT: '3:00' }, 'doctor')
  assert.match(daily.out, /BACKUP_AT must be a time of day such as 03:00/)
  const often = await cli({ ...env, BACKUP_EVERY: '12h', BACKUP_AT: '03:00' }, 'doctor')
  assert.match(often.out, /BACKUP_EVERY must be a number of days, such as 1d, because BACKUP_AT is set/)
  const nowhere = await cli({ ...env, BACKUP_AT: '03:00' }, 'doctor')
  assert.match(nowhere.out, /BACKUP_TO must be set, because BACKUP_AT is set/)
  assert.match(invalid.out, /BACKUP_TO must be set, because BACKUP_EVERY is set/)
})
