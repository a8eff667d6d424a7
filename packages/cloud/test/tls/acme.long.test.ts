import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:https'
import { text } from 'node:stream/consumers'
import { describe, type TestContext, test } from 'node:test'
import { connect, type PeerCertificate } from 'node:tls'
import { WebSocket } from 'ws'
import { readConfig } from '../../src/config/index.ts'
import { openDatabase } from '../../src/db/index.ts'
import { eachDatabase, onPostgres } from '../../src/db/testing.ts'
import { findFreePort } from '../../src/http/free-port.ts'
import { VirtualClock } from '../../src/time/testing/virtual-clock.ts'
import { ORDER_CHECK_MS } from '../../src/tls/acme/acme-certificates.ts'
import { OrderStore } from '../../src/tls/acme/order-store.ts'
import { testCertificate } from '../support/certificates.ts'
import { cli } from '../support/cli.ts'
import { startNodes } from '../support/cluster.ts'
import { BLOCKED_HOST, EXTERNAL_ACCOUNT, type Pebble, pebbleMissing, startPebble } from '../support/pebble.ts'
import { redisMissing } from '../support/redis.ts'
import { type LocalCloud, spawnCloud, startCloud, type TestCloud } from '../support/test-cloud.ts'
import { waitFor } from '../support/wait-for.ts'

const DAY_MS = 24 * 3_600_000

const HOST = 'cloud.example.org'

/** Starts a cloud at the ports that the authority checks. */
async function start(t: TestContext, pebble: Pebble, env: Record<string, string> = {}, now = Date.now()) {
  const clock = new VirtualClock(now)
  const cloud = await startCloud(t, {
    env: {
      ...pebble.env,
      PORT: String(pebble.tlsPort),
      TLS_REDIRECT_PORT: String(pebble.httpPort),
      ...env,
    },
    overrides: { clock },
  })
  return { cloud, clock, redirectUrl: `http://127.0.0.1:${pebble.httpPort}` }
}

/** The certificate that a cloud serves. */
async function served({ localUrl }: TestCloud, servername = HOST): Promise<PeerCertificate> {
  const { hostname: host, port } = new URL(localUrl)
  const socket = connect({ host, port: Number(port), servername, rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  const certificate = socket.getPeerCertificate()
  socket.destroy()
  return certificate
}

/** Requests a path over HTTPS without checking the certificate. */
async function get({ cloud }: LocalCloud, path: string) {
  const options = { host: '127.0.0.1', port: cloud.port, servername: HOST, rejectUnauthorized: false, path }
  const [response] = await once(request(options).end(), 'response')
  return { status: response.statusCode as number, body: await text(response) }
}

/** Opens a socket that the cloud rejects. @returns the response, which must come within five seconds */
async function handshakeResponse({ cloud }: LocalCloud, path: string) {
  const url = `wss://127.0.0.1:${cloud.port}${path}`
  const socket = new WebSocket(url, { rejectUnauthorized: false, handshakeTimeout: 5_000 })
  const [, response] = await once(socket, 'unexpected-response')
  return { status: response.statusCode as number, body: await text(response) }
}

/** Lets time pass until the cloud serves another certificate than before. */
function nextCertificate(clock: VirtualClock, cloud: LocalCloud, before?: string): Promise<PeerCertificate> {
  return waitFor('a new certificate', async () => {
    clock.advance(ORDER_CHECK_MS)
    const certificate = await served(cloud)
    const isIssued = /^Pebble/.test(String(certificate.issuer.CN))
    return isIssued && certificate.fingerprint256 !== before && certificate
  })
}

const attempts = (cloud: LocalCloud) =>
  cloud.logged.filter(({ msg }) => msg === 'tls: ordering a certificate').length

const problems = (cloud: LocalCloud) =>
  cloud.logged.flatMap(({ problem }) => (problem ? [String(problem)] : []))

describe('TLS=auto', { skip: pebbleMissing }, () => {
  for (const challenge of ['http-01', 'tls-alpn-01'])
    test(`TLS-20 TLS-12: a certificate by ${challenge}`, async (t) => {
      const pebble = await startPebble(t)
      const { cloud, clock } = await start(t, pebble, { TLS_ACME_CHALLENGE: challenge })
      const certificate = await nextCertificate(clock, cloud)
      assert.equal(certificate.subjectaltname, `DNS:${HOST}`)
      assert.equal(cloud.cloud.publicUrl().href, `https://${HOST}:${pebble.tlsPort}/`)
      assert.equal((await get(cloud, '/readyz')).status, 200)
      const stored = JSON.stringify([
        await cloud.cloud.db.selectFrom('tls_certificates').selectAll().execute(),
        await cloud.cloud.db.selectFrom('tls_accounts').selectAll().execute(),
      ])
      assert.doesNotMatch(stored, /PRIVATE KEY/)
      assert.deepEqual(await cloud.cloud.db.selectFrom('tls_challenges').selectAll().execute(), [])
      const { out } = await cli({ ...cloud.env }, 'doctor')
      assert.match(out, /certificate for cloud\.example\.org by Pebble.*, renewed from 20/)
      await cloud.stop()
      // The next start uses the stored certificate.
      const again = await start(t, pebble, {
        TLS_ACME_CHALLENGE: challenge,
        DATA_DIR: String(cloud.env.DATA_DIR),
      })
      assert.equal((await served(again.cloud)).fingerprint256, certificate.fingerprint256)
      assert.equal(attempts(again.cloud), 0)
    })

  test('TLS-20: a certificate for a cloud that runs its bundle', async (t) => {
    const pebble = await startPebble(t)
    const cloud = await spawnCloud(t, {
      env: {
        ...pebble.env,
        PORT: String(pebble.tlsPort),
        TLS_REDIRECT_PORT: String(pebble.httpPort),
        NODE_EXTRA_CA_CERTS: pebble.directoryAuthority,
      },
    })
    await waitFor('the certificate', async () => /^Pebble/.test(String((await served(cloud)).issuer.CN)))
  })

  test('TLS-21: until there is a certificate, both ports explain it', async (t) => {
    const pebble = await startPebble(t, { isStarted: false })
    const { cloud, clock, redirectUrl } = await start(t, pebble)
    await waitFor('the first attempt', () => problems(cloud).length > 0)
    const explained =
      /^Glasses Cloud is getting its HTTPS certificate for cloud\.example\.org\. The last attempt failed: the authority at localhost:\d+ cannot be reached \(ECONNREFUSED\); .* The next one is at 20/
    for (const response of [await get(cloud, '/'), await get(cloud, '/api/auth/get-session')]) {
      assert.equal(response.status, 503)
      assert.match(response.body, explained)
    }
    const plain = await fetch(`${redirectUrl}/console`, { redirect: 'manual' })
    assert.equal(plain.status, 503)
    assert.match(await plain.text(), explained)
    assert.equal((await get(cloud, '/healthz')).status, 200)
    for (const path of ['/glasses-ws?token=x', '/app-ws']) {
      const refused = await handshakeResponse(cloud, path)
      assert.equal(refused.status, 503, path)
      const { code, message } = JSON.parse(refused.body)
      assert.equal(code, 'NOT_READY')
      assert.match(message, explained)
    }
    const ready = await get(cloud, '/readyz')
    assert.equal(ready.status, 503)
    assert.match(ready.body, /certificate: Glasses Cloud is getting/)
    await pebble.start()
    await nextCertificate(clock, cloud)
    assert.equal((await get(cloud, '/healthz')).status, 200)
    assert.equal((await fetch(`${redirectUrl}/console`, { redirect: 'manual' })).status, 301)
    assert.equal((await get(cloud, '/')).status, 200)
    assert.equal((await handshakeResponse(cloud, '/glasses-ws?token=x')).status, 401)
  })

  test('TLS-22 TLS-5: renewal a month ahead, under load, of an account without an address', async (t) => {
    const pebble = await startPebble(t)
    const { cloud, clock } = await start(t, pebble, { TLS_ACME_EMAIL: '' })
    const first = await nextCertificate(clock, cloud)
    const token = await cloud.token('ada@example.com')
    const url = `wss://127.0.0.1:${cloud.cloud.port}/glasses-ws?token=${token}`
    const sockets = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const other = await cloud.token(`${crypto.randomUUID()}@example.com`)
        const socket = new WebSocket(url.replace(token, other), { rejectUnauthorized: false })
        t.after(() => socket.terminate())
        await once(socket, 'message')
        return socket
      }),
    )
    clock.jumpWallClock(59 * DAY_MS)
    clock.advance(ORDER_CHECK_MS)
    assert.equal((await served(cloud)).fingerprint256, first.fingerprint256)
    assert.equal(attempts(cloud), 1)
    clock.jumpWallClock(2 * DAY_MS)
    let isRenewed = false
    const statuses: number[] = []
    const load = Promise.all(
      Array.from({ length: 3 }, async () => {
        while (!isRenewed) statuses.push((await get(cloud, '/healthz')).status)
      }),
    )
    const second = await nextCertificate(clock, cloud, first.fingerprint256)
    isRenewed = true
    await load
    assert.notEqual(second.pubkey?.toString('hex'), first.pubkey?.toString('hex'))
    assert.deepEqual([...new Set(statuses)], [200])
    assert.deepEqual(
      sockets.map(({ readyState }) => readyState),
      sockets.map(() => WebSocket.OPEN),
    )
  })

  test('TLS-23: refused challenges, without hammering the authority', async (t) => {
    const pebble = await startPebble(t)
    // Nothing answers at the ports that the authority checks.
    const { cloud, clock } = await start(t, pebble, {
      PORT: '0',
      TLS_REDIRECT_PORT: String(await findFreePort()),
    })
    const began = clock.now()
    for (let failed = 1; clock.now() - began < 3_600_000; failed++) {
      await waitFor('a failure', () => problems(cloud).length >= failed)
      clock.advance(Number(clock.nextTimerAt) - clock.now())
      while (attempts(cloud) === failed && clock.now() - began < 3_600_000) {
        clock.advance(ORDER_CHECK_MS)
        await new Promise((resolve) => setImmediate(resolve))
      }
    }
    assert.ok(attempts(cloud) <= 5, `${attempts(cloud)} attempts in an hour`)
    const [first, second] = problems(cloud)
    assert.match(
      String(first),
      /^the check of cloud\.example\.org with http-01 failed \(port 80 of this name must lead to TLS_REDIRECT_PORT of this cloud\): .*onnection refused/,
    )
    assert.match(String(second), /^the check of cloud\.example\.org with tls-alpn-01 failed \(port 443/)
    const metrics = (await get(cloud, '/metrics')).body
    assert.match(metrics, /^tls_renewal_failures [2-5]$/m)
    assert.match(metrics, /^tls_certificate_expires_seconds Nan$/m)
    const { out } = await cli(cloud.env, 'doctor')
    assert.match(out, /https.*there is no certificate yet: the check of cloud\.example\.org/)
  })

  test('TLS-23: a refused order; the previous certificate stays', async (t) => {
    const pebble = await startPebble(t)
    const { cloud, clock } = await start(t, pebble)
    const certificate = await nextCertificate(clock, cloud)
    await pebble.stop()
    clock.jumpWallClock(61 * DAY_MS)
    await waitFor('a failure', () => {
      clock.advance(ORDER_CHECK_MS)
      return problems(cloud).some((problem) => /cannot be reached/.test(problem))
    })
    assert.equal((await served(cloud)).fingerprint256, certificate.fingerprint256)
    assert.equal((await get(cloud, '/readyz')).status, 200)
    const refused = await startPebble(t)
    const blocked = await start(t, refused, { TLS_HOSTS: BLOCKED_HOST })
    await waitFor('a failure', () => problems(blocked.cloud).length > 0)
    assert.match(String(problems(blocked.cloud)[0]), /^the order was refused: /)
  })

  test('TLS-20 TLS-23: an authority that binds accounts', async (t) => {
    const pebble = await startPebble(t, { requiresAccount: true })
    const refused = async (env: Record<string, string>) => {
      const { cloud } = await start(t, pebble, env)
      await waitFor('a failure', () => problems(cloud).length > 0)
      await cloud.stop()
      return String(problems(cloud)[0])
    }
    assert.match(
      await refused({}),
      /^the account was refused \(.* needs TLS_ACME_EAB_KEY_ID .*\): .*'externalAccountBinding'/,
    )
    const { TLS_ACME_EAB_HMAC_KEY: key } = EXTERNAL_ACCOUNT
    assert.match(
      await refused({ ...EXTERNAL_ACCOUNT, TLS_ACME_EAB_HMAC_KEY: key.toLowerCase() }),
      /^the account was refused /,
    )
    const unknown = { ...EXTERNAL_ACCOUNT, TLS_ACME_EAB_KEY_ID: 'account-2' }
    assert.match(await refused(unknown), /^the account was refused /)
    const { cloud, clock } = await start(t, pebble, EXTERNAL_ACCOUNT)
    assert.equal((await nextCertificate(clock, cloud)).subjectaltname, `DNS:${HOST}`)
  })

  test('TLS-24: a wrong clock is reported, and orders nothing more', async (t) => {
    const pebble = await startPebble(t)
    const { cloud, clock } = await start(t, pebble, {}, Date.now() + 3_650 * DAY_MS)
    await nextCertificate(clock, cloud)
    assert.match(
      problems(cloud).join('\n'),
      /the certificate expired at .*the clock of this machine shows 203/,
    )
    for (let step = 0; step < 5; step++) {
      clock.advance(ORDER_CHECK_MS)
      await new Promise((resolve) => setImmediate(resolve))
    }
    assert.equal(attempts(cloud), 1)
  })

  test('TLS-25: challenges are answered for known tokens and hosts only', async (t) => {
    const pebble = await startPebble(t)
    const { cloud, clock, redirectUrl } = await start(t, pebble)
    await nextCertificate(clock, cloud)
    for (const path of ['unknown', '..%2f..%2fetc%2fpasswd', 'a/b', '', '%00', 'a'.repeat(300)]) {
      const response = await fetch(`${redirectUrl}/.well-known/acme-challenge/${path}`, {
        redirect: 'manual',
      })
      assert.equal(response.status, 301, path)
    }
    const socket = connect({
      host: '127.0.0.1',
      port: cloud.cloud.port,
      servername: HOST,
      ALPNProtocols: ['acme-tls/1'],
      rejectUnauthorized: false,
    })
    await assert.rejects(once(socket, 'secureConnect'))
    assert.equal((await get(cloud, '/healthz')).status, 200)
  })
})

describe('settings of TLS=auto', () => {
  test('TLS-28: terms, names and addresses', () => {
    const problemsOf = (env: Record<string, string>) => {
      try {
        readConfig({ TLS: 'auto', TLS_ACME_TERMS_AGREED: 'true', TLS_HOSTS: HOST, ...env })
        return ''
      } catch (error) {
        return String(error)
      }
    }
    assert.equal(problemsOf({}), '')
    assert.match(
      problemsOf({ TLS_ACME_TERMS_AGREED: '' }),
      /TLS_ACME_TERMS_AGREED must be true.*terms of service of acme-v02\.api\.letsencrypt\.org/,
    )
    assert.match(problemsOf({ TLS_HOSTS: '' }), /TLS_HOSTS must be the host name/)
    for (const name of ['192.0.2.1', 'localhost', '::1'])
      assert.match(problemsOf({ TLS_HOSTS: name }), /must be public DNS names/, name)
    assert.match(problemsOf({ TLS_HOSTS: '*.example.org' }), /must be a comma-separated list of host names/)
    assert.match(
      problemsOf({ PUBLIC_URL: 'https://other.example.org' }),
      /must contain the host of PUBLIC_URL/,
    )
    assert.match(problemsOf({ PUBLIC_URL: `http://${HOST}` }), /PUBLIC_URL must begin with https:/)
    assert.match(
      problemsOf({ TLS_REDIRECT_PORT: '0', TLS_ACME_CHALLENGE: 'http-01' }),
      /cannot be http-01 without/,
    )
    assert.match(problemsOf({ TLS_ACME_EAB_KEY_ID: 'x' }), /must be set together/)
    const { http, tls } = readConfig({ TLS: 'auto', TLS_ACME_TERMS_AGREED: 'true', TLS_HOSTS: HOST })
    assert.deepEqual([http.host, http.port, tls.mode !== 'off' && tls.redirectPort], ['0.0.0.0', 443, 80])
  })
})

describe('the stored certificate', () => {
  eachDatabase((database) => {
    test('TLS-27: a change of AUTH_SECRET', async (t) => {
      const db = await openDatabase(await database.acquire(t))
      t.after(() => db.destroy())
      const pair = await testCertificate()
      const old = new OrderStore(db, 'order', ['old secret'])
      await old.open(0)
      assert.ok(await old.claim('process', 1))
      assert.ok(await old.complete('process', pair, 5_000, { failures: 0, failure: undefined }))
      const other = new OrderStore(db, 'order', ['other secret'])
      assert.equal((await other.open(2)).pair, undefined)
      const next = new OrderStore(db, 'order', ['new secret', 'old secret'])
      const { nextAttemptAt, ...taken } = await next.open(2)
      assert.deepEqual([taken.pair, nextAttemptAt], [pair, 5_000])
      assert.equal(await next.claim('process', 4_999), undefined)
      assert.deepEqual((await new OrderStore(db, 'order', ['new secret']).open(3)).pair, pair)
      assert.deepEqual((await old.open(3)).pair, pair)
    })
  })
})

describe('one certificate for several nodes', { skip: pebbleMissing || redisMissing }, () => {
  onPostgres((database) => {
    test('TLS-26: one orders at a time, any answers, and another continues after kill -9', async (t) => {
      const pebble = await startPebble(t, { sleepSeconds: 2 })
      const ports = async () => ({ PORT: '0', TLS_REDIRECT_PORT: String(await findFreePort()) })
      const shared = { ...pebble.env, TLS_ACME_CHALLENGE: 'http-01' }
      const answering = { PORT: '0', TLS_REDIRECT_PORT: String(pebble.httpPort) }
      // Creates what the nodes share, and ends.
      const [creator] = await startNodes(t, database, ['creator'])
      const env = { ...creator.env, ...shared }
      const killed = await spawnCloud(t, {
        env: {
          ...env,
          ...(await ports()),
          NODE_NAME: 'killed',
          NODE_EXTRA_CA_CERTS: pebble.directoryAuthority,
        },
      })
      await waitFor('an order', () => killed.logged.some(({ msg }) => msg === 'tls: ordering a certificate'))
      await killed.kill()

      const clocks = [new VirtualClock(Date.now()), new VirtualClock(Date.now())] as const
      const [one, other] = [
        await startCloud(t, {
          env: { ...env, ...(await ports()), NODE_NAME: 'one' },
          overrides: { clock: clocks[0] },
        }),
        await startCloud(t, {
          env: { ...env, ...answering, NODE_NAME: 'other' },
          overrides: { clock: clocks[1] },
        }),
      ]
      await waitFor('the first check', () =>
        one.cloud.db.selectFrom('tls_certificates').selectAll().executeTakeFirst(),
      )
      assert.equal(attempts(one) + attempts(other), 0, 'while the lease of the killed one is valid')
      clocks[0].advance(31_000)
      const certificate = await nextCertificate(clocks[0], one)
      const received = await nextCertificate(clocks[1], other)
      assert.equal(received.fingerprint256, certificate.fingerprint256)
      const late = await startCloud(t, { env: { ...env, ...(await ports()), NODE_NAME: 'late' } })
      assert.equal((await served(late)).fingerprint256, certificate.fingerprint256)
      assert.equal(attempts(one) + attempts(other) + attempts(late), 1)
      assert.equal(attempts(other), 0, 'it only answered the challenge')
    })
  })
})
