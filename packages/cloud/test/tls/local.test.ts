import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { hostname } from 'node:os'
import { describe, type TestContext, test } from 'node:test'
import { connect, createServer } from 'node:tls'
import { WebSocket } from 'ws'
import { openDatabase } from '../../src/db/index.ts'
import { eitherDatabase } from '../../src/db/testing.ts'
import { findFreePort } from '../../src/http/free-port.ts'
import { createLog } from '../../src/http/log.ts'
import { VirtualClock } from '../../src/time/testing/virtual-clock.ts'
import { issueCertificate } from '../../src/tls/issue-certificate.ts'
import { describeCertificate } from '../../src/tls/key-pair.ts'
import { AuthorityStore } from '../../src/tls/local/authority-store.ts'
import { LocalCertificates, NAMES_CHECK_MS } from '../../src/tls/local/local-certificates.ts'
import { browserMissing, startBrowser } from '../support/browser.ts'
import { cli, cliWithInput } from '../support/cli.ts'
import { createAdministrator, openConsole } from '../support/console-rig.ts'
import { startCloud } from '../support/test-cloud.ts'
import { waitFor } from '../support/wait-for.ts'

const DAY_MS = 24 * 3_600_000

async function start(t: TestContext) {
  const plainPort = await findFreePort()
  const cloud = await startCloud(t, {
    env: { TLS: 'local', HOST: '0.0.0.0', TLS_REDIRECT_PORT: String(plainPort), LOG_LEVEL: 'info' },
  })
  return { cloud, plainPort, plainUrl: `http://127.0.0.1:${plainPort}` }
}

/** Tries to connect with a certificate authority as the only trusted one. */
async function isAccepted(port: number, ca: string, servername: string): Promise<boolean> {
  const socket = connect({ host: '127.0.0.1', port, ca, servername })
  try {
    await once(socket, 'secureConnect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

describe('TLS=local', () => {
  test('TLS-30: names and addresses of this machine, after the authority is installed', async (t) => {
    const { cloud, plainUrl } = await start(t)
    const { port } = cloud.cloud
    const file = await fetch(`${plainUrl}/tls/authority.crt`)
    assert.equal(file.headers.get('content-type'), 'application/x-x509-ca-cert')
    const authority = new X509Certificate(Buffer.from(await file.arrayBuffer()))
    const pem = authority.toString()
    assert.equal(await isAccepted(port, pem, 'localhost'), true)
    assert.equal(await isAccepted(port, pem, `${hostname().toLowerCase()}.local`), true)
    assert.equal(await isAccepted(port, pem, 'example.org'), false)
    assert.ok(Date.parse(authority.validTo) > Date.now() + 3_649 * DAY_MS)
    const own = await fetch(`https://localhost:${port}/tls/authority.crt`)
    assert.deepEqual(Buffer.from(await own.arrayBuffer()), authority.raw)
    assert.equal(own.headers.get('strict-transport-security'), null)
    const page = await (await fetch(`${plainUrl}/tls`)).text()
    assert.ok(page.includes(authority.fingerprint256))
    assert.match(page, /This page came without encryption/)
    const { body } = await cloud.request<{ fingerprint: string }>('GET', '/api/tls/authority')
    assert.equal(body.fingerprint, authority.fingerprint256)
    assert.ok(cloud.logged.some(({ fingerprint }) => fingerprint === authority.fingerprint256))
    const { out } = await cli({ ...cloud.env, PORT: String(port) }, 'doctor')
    assert.ok(out.includes(`authority of this cloud, SHA-256 ${authority.fingerprint256}`), out)
    const simulated = await cliWithInput(
      { ...cloud.env, PORT: String(port) },
      'quit\n',
      ...['simulate', '--email', 'ada@example.com'],
    )
    assert.match(simulated.out, /connected/i)
    assert.equal(simulated.code, 0, simulated.err)
    const token = await cloud.token('ada@example.com')
    const socket = new WebSocket(`wss://localhost:${port}/glasses-ws?token=${token}`, { ca: pem })
    t.after(() => socket.terminate())
    await once(socket, 'message')
    await cloud.stop()
    const again = await startCloud(t, { env: cloud.env })
    const { body: after } = await again.request<{ fingerprint: string }>('GET', '/api/tls/authority')
    assert.equal(after.fingerprint, authority.fingerprint256)
  })

  test('TLS-31: the key is stored encrypted, and is good for home networks only', async (t) => {
    const { cloud } = await start(t)
    const rows = await cloud.cloud.db.selectFrom('tls_authorities').selectAll().execute()
    assert.equal(rows.length, 1)
    assert.doesNotMatch(JSON.stringify(rows), /PRIVATE KEY/)
    for (const { path } of [{ path: '/tls/authority.key' }, { path: '/tls/../authority.key' }])
      assert.equal((await cloud.request('GET', path)).status, 404)
    const stored = await new AuthorityStore(cloud.cloud.db, cloud.cloud.secrets).find()
    assert.ok(stored)
    const now = Date.now()
    const forged = await issueCertificate({
      commonName: 'example.org',
      names: ['example.org'],
      notBefore: now - DAY_MS,
      notAfter: now + DAY_MS,
      issuer: stored,
    })
    const server = createServer({ cert: forged.certificate, key: forged.key }, (socket) => socket.end())
    server.on('tlsClientError', () => {})
    server.listen(0, '127.0.0.1')
    t.after(() => server.close())
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    assert.equal(await isAccepted(port, stored.certificate, 'example.org'), false)
  })

  test('TLS-32: another address, and the end of the week', async (t) => {
    const { cloud } = await start(t)
    const clock = new VirtualClock(Date.now())
    let names = ['localhost', '192.168.1.2', '2001:db8::1', 'www.example.org']
    const source = await LocalCertificates.open({
      store: new AuthorityStore(cloud.cloud.db, cloud.cloud.secrets),
      hosts: [],
      clock,
      log: createLog('silent'),
      names: () => names,
    })
    source.start()
    t.after(() => source.stop())
    const facts = () => describeCertificate(source.current.certificate)
    assert.deepEqual(facts().names, ['localhost', '192.168.1.2'])
    names = ['localhost', '192.168.1.3']
    const nextly = (what: string, check: () => boolean) =>
      waitFor(what, () => {
        clock.advance(NAMES_CHECK_MS)
        return check()
      })
    await nextly('the new address', () => facts().names.includes('192.168.1.3'))
    const { fingerprint, notAfter } = facts()
    assert.ok(notAfter <= clock.now() + 7 * DAY_MS)
    clock.jumpWallClock(5 * DAY_MS)
    await nextly('the new certificate', () => facts().fingerprint !== fingerprint)
  })

  test('TLS-30 TLS-32: the host of PUBLIC_URL, also one that is set later, or an IPv6 address', async (t) => {
    let { cloud } = await start(t)
    const name = hostname().toLowerCase()
    for (const host of ['glasses.fritz.box', '[fd12:0::7]', '100.101.102.103', 'example.org']) {
      await cloud.stop()
      const isHome = host !== 'example.org'
      const env = { ...cloud.env, PUBLIC_URL: `https://${host}:8443` }
      cloud = await startCloud(t, { env })
      const { tls } = cloud.cloud
      assert.deepEqual([host, tls?.isFor(host)], [host, isHome])
      assert.equal(tls?.isFor(`${name}.lan`), true)
      const isRefused = cloud.logged.some(({ msg }) => /not for these hosts/.test(String(msg)))
      assert.equal(isRefused, !isHome, host)
    }
  })

  test('TLS-35: a failure keeps the certificate, and is counted until an attempt succeeds', async (t) => {
    const { cloud } = await start(t)
    const clock = new VirtualClock(Date.now())
    const lines: Record<string, unknown>[] = []
    let names = () => ['localhost']
    const source = await LocalCertificates.open({
      store: new AuthorityStore(cloud.cloud.db, cloud.cloud.secrets),
      hosts: [],
      clock,
      log: createLog('error', { write: (line: string) => void lines.push(JSON.parse(line)) }),
      names: () => names(),
    })
    source.start()
    t.after(() => source.stop())
    const { certificate } = source.current
    // As in a service that may not open sockets of Netlink.
    names = () => {
      throw new Error('the addresses cannot be read')
    }
    const nextly = (what: string, check: () => boolean) =>
      waitFor(what, () => {
        clock.advance(NAMES_CHECK_MS)
        return check()
      })
    await nextly('three failures', () => source.status.failures >= 3)
    const problem = 'the certificate could not be issued again: the addresses cannot be read'
    assert.equal(source.status.problem, problem)
    assert.deepEqual(
      lines.map((line) => line.problem),
      [problem],
      'logged once',
    )
    assert.equal(source.current.certificate, certificate)
    names = () => ['localhost', '192.168.1.4']
    await nextly('success', () => source.status.failures === 0)
    assert.equal(source.status.problem, undefined)
    assert.deepEqual(describeCertificate(source.current.certificate).names, ['localhost', '192.168.1.4'])
  })

  test('TLS-33: the page that connects a phone offers the authority', { skip: browserMissing }, async (t) => {
    const { cloud, plainPort } = await start(t)
    const browser = await startBrowser(t, ['--ignore-certificate-errors'])
    const url = `https://localhost:${cloud.cloud.port}`
    const { page, problems } = await openConsole(browser, url)
    await createAdministrator(page, 'ada@example.com')
    await page.goto('/glasses/connect?glasses=g2')
    const authority = await new AuthorityStore(cloud.cloud.db, cloud.cloud.secrets).find()
    const { fingerprint } = describeCertificate(String(authority?.certificate))
    const value = (label: string) => page.getByLabel(label).first().inputValue()
    assert.equal(await value('SHA-256 fingerprint of the authority'), fingerprint)
    assert.equal(await value('Page to open on the device'), `http://localhost:${plainPort}/tls`)
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download the authority' }).click()
    assert.equal((await download).suggestedFilename(), 'glasses-cloud.crt')
    assert.deepEqual(problems, [])
  })
})

describe('the stored authority', () => {
  eitherDatabase((database) => {
    test('TLS-34: a change of AUTH_SECRET keeps it', async (t) => {
      const db = await openDatabase(await database.acquire(t))
      t.after(() => db.destroy())
      let made = 0
      const create = async () => ({ certificate: `certificate ${++made}`, key: 'key' })
      const open = (...secrets: [string, ...string[]]) => new AuthorityStore(db, secrets).open(create, 0)
      const first = await open('old secret')
      assert.deepEqual(await open('new secret', 'old secret'), first)
      assert.deepEqual(await open('new secret'), first)
      assert.notDeepEqual(await open('other secret'), first)
      assert.deepEqual(await open('old secret'), first)
    })
  })
})
