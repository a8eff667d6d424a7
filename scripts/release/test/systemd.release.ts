import assert from 'node:assert/strict'
import { appendFileSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { DEBIAN_PACKAGE, RELEASE } from './artifacts.ts'
import { checked, skipUnlessPossible } from './bare-root.ts'
import { BootedRoot } from './booted-root.ts'
import { assertConformance, freePort, freePrivilegedPort } from './conformance.ts'
import { assertRecognition } from './recognition.ts'

const PACKAGE = join(RELEASE, DEBIAN_PACKAGE)
const SETTINGS = '/etc/glasses-cloud/env'
const UNIT = 'glasses-cloud.service'

describe('the service of the Debian package under systemd', { skip: skipUnlessPossible() }, () => {
  let machine: BootedRoot
  let port: number
  const property = (name: string) => machine.check(['systemctl', 'show', '--value', '-p', name, UNIT]).trim()
  const isHealthy = () => machine.check(['glasses-cloud', 'health', '--wait', '60'])

  before(async () => {
    machine = await BootedRoot.boot()
    copyFileSync(PACKAGE, join(machine.folder, 'srv/now.deb'))
    port = await freePort()
  })
  after(() => machine?.remove())

  test('REL-6 REL-26: installed with existing settings, it passes the conformance kit, and recognizes', async () => {
    // As after a removal. The default port may be in use on this machine.
    mkdirSync(dirname(join(machine.folder, SETTINGS)))
    const packaged = checked('sh', ['-c', `dpkg-deb --fsys-tarfile ${PACKAGE} | tar -xO .${SETTINGS}`])
    const own = `PORT=${port}\nRTMP_PORT=${await freePort()}\nREST_LIMIT_PER_MINUTE=300\n`
    writeFileSync(join(machine.folder, SETTINGS), packaged + own)
    machine.check(['dpkg', '--force-confold', '-i', '/srv/now.deb'])
    isHealthy()
    assert.equal(property('ActiveState'), 'active')
    assert.equal(property('UnitFileState'), 'enabled')
    await assertConformance(machine, ['glasses-cloud'], {}, port, '/srv')
    await assertRecognition(machine, ['glasses-cloud'], {}, port, '/srv')
    const log = machine.check(['journalctl', '-u', UNIT, '-o', 'cat'])
    assert.match(log, /Glasses Cloud is ready at/)
  })

  test('REL-24: it runs as its user, with a filter of system calls, and cannot write outside its folders', () => {
    const pid = property('MainPID')
    const status = machine.check(['cat', `/proc/${pid}/status`])
    assert.match(status, /^Seccomp:\t2$/m)
    assert.match(status, /^NoNewPrivs:\t1$/m)
    assert.equal(machine.check(['stat', '-c', '%U', `/proc/${pid}`]).trim(), 'glasses-cloud')
    const touch = (file: string) =>
      machine.check(['nsenter', '--target', pid, '--mount', 'sh', '-c', `touch ${file} 2>&1; true`])
    for (const folder of ['/etc', '/usr', '/srv', '/var/lib'])
      assert.match(touch(`${folder}/x`), /Read-only file system/, folder)
    assert.equal(touch('/var/lib/glasses-cloud/x'), '')
  })

  test('REL-26: systemd starts it again after a crash', () => {
    const killed = property('MainPID')
    machine.check(['systemctl', 'kill', '--signal=KILL', '--kill-whom=main', UNIT])
    isHealthy()
    assert.notEqual(property('MainPID'), killed)
    assert.equal(property('NRestarts'), '1')
  })

  test('REL-24: it serves HTTPS on a port below 1024', async () => {
    const privileged = await freePrivilegedPort()
    appendFileSync(
      join(machine.folder, SETTINGS),
      `PORT=${privileged}\nTLS=local\nTLS_REDIRECT_PORT=${await freePort()}\n`,
    )
    machine.check(['systemctl', 'restart', UNIT])
    assert.match(isHealthy(), new RegExp(`https://\\S+:${privileged} is ready`))
  })

  test('REL-26: a stop succeeds', () => {
    machine.check(['systemctl', 'stop', UNIT])
    assert.equal(property('Result'), 'success')
    assert.equal(property('ExecMainStatus'), '0')
  })
})
