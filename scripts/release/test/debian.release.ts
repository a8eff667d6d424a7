import assert from 'node:assert/strict'
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { DEBIAN_PACKAGE, PROJECT, RELEASE, VERSION } from './artifacts.ts'
import { BareRoot, checked, skipUnlessPossible, stop } from './bare-root.ts'
import { assertConformance, freePort } from './conformance.ts'

const PACKAGE = join(RELEASE, DEBIAN_PACKAGE)
const SETTINGS = '/etc/glasses-cloud/env'
const DATA = '/var/lib/glasses-cloud'
const WANTED = '/etc/systemd/system/multi-user.target.wants/glasses-cloud.service'

/** `systemd-analyze security` of the unit may be at most this: 0 is the most restricted, 10 the least. */
const MAX_EXPOSURE = 2

/** Makes a package with a later version, one file more and a changed one. */
function nextVersion(version: string, file: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'package-'))
  try {
    checked('dpkg-deb', ['--raw-extract', PACKAGE, folder])
    const control = join(folder, 'DEBIAN/control')
    writeFileSync(
      control,
      readFileSync(control, 'utf8').replace(`Version: ${VERSION}`, `Version: ${version}`),
    )
    writeFileSync(join(folder, 'usr/lib/glasses-cloud/program/later.mjs'), '')
    appendFileSync(join(folder, 'usr/lib/glasses-cloud/program/program.mjs'), '// later\n')
    checked('dpkg-deb', ['-Znone', '--build', folder, file])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

describe('the Debian package', { skip: skipUnlessPossible() }, () => {
  let root: BareRoot
  const has = (path: string) => existsSync(join(root.folder, path))
  const stat = (...paths: string[]) =>
    root
      .check(['stat', '-c', '%U:%G %a', ...paths])
      .trim()
      .split('\n')

  before(() => {
    root = new BareRoot()
    copyFileSync(PACKAGE, join(root.folder, 'srv/now.deb'))
    nextVersion('1.99.0', join(root.folder, 'srv/later.deb'))
  })
  after(() => root.remove())

  test('REL-20 REL-21: installs a user, folders, settings and the service, and passes the conformance kit', async () => {
    root.check(['dpkg', '-i', '/srv/now.deb'])
    assert.match(
      root.check(['getent', 'passwd', 'glasses-cloud']),
      /:\/var\/lib\/glasses-cloud:\/usr\/sbin\/nologin/,
    )
    assert.deepEqual(stat(DATA, SETTINGS), ['glasses-cloud:glasses-cloud 750', 'root:glasses-cloud 640'])
    assert.equal(root.check(['readlink', WANTED]).trim(), '/lib/systemd/system/glasses-cloud.service')
    assert.equal(root.check(['dpkg', '--verify', 'glasses-cloud']), '')
    assert.match(root.check(['dpkg', '-s', 'glasses-cloud']), /^Recommends: ffmpeg$/m)

    const port = await freePort()
    appendFileSync(join(root.folder, SETTINGS), `PORT=${port}\nREST_LIMIT_PER_MINUTE=300\n`)
    const cloud = await root.start(['glasses-cloud', 'start'], { cwd: DATA })
    await assertConformance(root, ['glasses-cloud'], {}, port)
    assert.equal(root.check(['stat', '-c', '%U', `/proc/${cloud.child.pid}`]).trim(), 'glasses-cloud')
    assert.equal(await stop(cloud), 0)
    const owners = root.check(['find', DATA, '/var/cache/glasses-cloud', '!', '-user', 'glasses-cloud'])
    assert.equal(owners, '', 'Commands of root must not leave files that the service cannot read.')
    const other = root.run(['glasses-cloud', 'user', 'list'], { user: '65534:65534', cwd: '/tmp' })
    assert.equal(other.status, 1)
  })

  test('REL-22: an upgrade and a downgrade keep settings and data, and leave no file of the other version', () => {
    const users = root.check(['glasses-cloud', 'user', 'list'])
    assert.match(users, /conformance@example\.org/)
    const settings = readFileSync(join(root.folder, SETTINGS), 'utf8')
    for (const [file, later] of [
      ['later', true],
      ['now', false],
    ] as const) {
      root.check(['dpkg', '-i', `/srv/${file}.deb`])
      assert.equal(has('/usr/lib/glasses-cloud/program/later.mjs'), later)
      assert.equal(readFileSync(join(root.folder, SETTINGS), 'utf8'), settings)
      assert.deepEqual(stat(DATA, SETTINGS), ['glasses-cloud:glasses-cloud 750', 'root:glasses-cloud 640'])
      assert.equal(root.check(['glasses-cloud', 'user', 'list']), users)
    }
  })

  test('REL-23: a removal keeps settings and data, and a purge removes both and the user', () => {
    root.check(['apt-get', 'remove', '-y', 'glasses-cloud'])
    assert.deepEqual([has('/usr/lib/glasses-cloud'), has('/usr/bin/glasses-cloud')], [false, false])
    assert.ok(has(SETTINGS) && has(join(DATA, 'glasses-cloud.db')))
    root.check(['dpkg', '-i', '/srv/now.deb'])
    assert.match(root.check(['glasses-cloud', 'user', 'list']), /conformance@example\.org/)
    root.check(['apt-get', 'purge', '-y', 'glasses-cloud'])
    assert.deepEqual(globSync('{etc,var/lib,var/cache,usr/lib}/glasses-cloud', { cwd: root.folder }), [])
    assert.equal(has(WANTED), false)
    assert.notEqual(root.run(['getent', 'passwd', 'glasses-cloud']).status, 0)
    root.check(['dpkg', '-i', '/srv/now.deb'])
    root.check(['apt-get', 'purge', '-y', 'glasses-cloud'])
  })

  test('the manual page names every command of the help', () => {
    // The bare root leaves out manual pages when packages are installed.
    const page = checked('sh', [
      '-c',
      `dpkg-deb --fsys-tarfile ${PACKAGE} | tar -xO ./usr/share/man/man1/glasses-cloud.1.gz | gunzip`,
    ])
    for (const name of ['start', 'token EMAIL', 'health [\\-\\-wait SECONDS]', 'doctor', 'restore FILE'])
      assert.ok(page.includes(`\n.B ${name}`), name)
    assert.doesNotMatch(page, /npm run|undefined/)
    const unknown = page
      .split('\n')
      .filter((line) => /^['.]/.test(line) && !/^\.(TH|SH|TP|PP|B|BR|I) ?/.test(line))
    assert.deepEqual(unknown, [])
  })

  test('REL-24: the service is restricted', () => {
    const unit = join(PROJECT, 'ops/debian/glasses-cloud.service')
    const report = checked('systemd-analyze', ['security', '--offline=true', '--no-pager', unit])
    const exposure = Number(/Overall exposure level for \S+: ([\d.]+)/.exec(report)?.[1])
    assert.ok(exposure <= MAX_EXPOSURE, report)
    const documented = readFileSync(join(PROJECT, 'docs/install.md'), 'utf8')
    assert.ok(documented.includes(`an exposure of ${exposure}`), `docs/install.md must name ${exposure}`)
    assert.ok(statSync(unit).isFile())
  })
})
