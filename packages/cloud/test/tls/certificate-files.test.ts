import assert from 'node:assert/strict'
import { once } from 'node:events'
import { rename, writeFile } from 'node:fs/promises'
import { connect as connectPlain } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, type TestContext, test } from 'node:test'
import { connect, type TLSSocket } from 'node:tls'
import { WebSocket } from 'ws'
import { findFreePort } from '../../src/http/free-port.ts'
import { VirtualClock } from '../../src/time/testing/virtual-clock.ts'
import { RELOAD_MS } from '../../src/tls/certificate-files.ts'
import { describeCertificate, type KeyPair } from '../../src/tls/key-pair.ts'
import { Browser } from '../support/account-browser.ts'
import { certificateFolder, testCertificate } from '../support/certificates.ts'
import { cli } from '../support/cli.ts'
import { galleryOf, image, upload } from '../support/photo-app.ts'
import { type LocalCloud, startCloud } from '../support/test-cloud.ts'
import { waitFor } from '../support/wait-for.ts'

/** Starts a cloud with a certificate in files. */
async function start(t: TestContext, pair: KeyPair, env: Record<string, string> = {}) {
  const folder = await certificateFolder(t, pair)
  const clock = new VirtualClock(Date.now())
  const cloud = await startCloud(t, {
    env: { ...folder.env, HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'info', ...env },
    overrides: { clock },
  })
  return { cloud, folder, clock }
}

/** Opens a TLS connection without checking the certificate. */
async function handshake(t: TestContext, { cloud }: LocalCloud, options: object = {}): Promise<TLSSocket> {
  const socket = connect({
    host: '127.0.0.1',
    port: cloud.port,
    servername: 'localhost',
    rejectUnauthorized: false,
    ...options,
  })
  t.after(() => socket.destroy())
  await once(socket, 'secureConnect')
  return socket
}

async function servedFingerprint(t: TestContext, cloud: LocalCloud): Promise<string> {
  return (await handshake(t, cloud)).getPeerCertificate().fingerprint256
}

const fingerprintOf = ({ certificate }: KeyPair) => describeCertificate(certificate).fingerprint

/** Lets the cloud read its files until something happened. */
function reloadUntil<Result>(clock: VirtualClock, what: string, check: () => Promise<Result | false>) {
  return waitFor(what, () => {
    clock.advance(RELOAD_MS)
    return check()
  })
}

describe('TLS=files', () => {
  test('TLS-2 TLS-12: sign-up, uploads and sockets', async (t) => {
    const { cloud } = await start(t, await testCertificate())
    assert.match(cloud.url, /^https:\/\/localhost:\d+$/)
    const browser = new Browser(cloud)
    const { body } = await browser.signUp('ada@example.com', 'correct horse battery')
    assert.equal(body.user.email, 'ada@example.com')
    assert.match([...browser.cookies.keys()].join(), /^__Host-/)
    const session = await browser.request('GET', '/api/auth/get-session')
    assert.equal(session.status, 200)
    assert.equal(session.headers.get('strict-transport-security'), null)

    const token = await cloud.token('ada@example.com')
    const form = [
      ['requestId', 'r1'],
      ['photo', image.jpeg()],
    ] as const
    assert.equal((await upload(cloud, token, form)).status, 200)
    assert.equal((await galleryOf(cloud, token)).length, 1)

    const socket = new WebSocket(`${cloud.wsUrl}/glasses-ws?token=${token}`)
    t.after(() => socket.terminate())
    const [frame] = await once(socket, 'message')
    assert.equal(JSON.parse(String(frame)).type, 'connection_ack')
  })

  test('TLS-3: files that were joined and saved by programs of Windows', async (t) => {
    const [own, other] = [await testCertificate(), await testCertificate()]
    const saved = (...texts: string[]) =>
      texts.map((each) => `\uFEFF${each.replaceAll('\n', '\r\n')}`).join('')
    const pair = { certificate: saved(own.certificate, other.certificate), key: saved(own.key) }
    const { cloud } = await start(t, pair)
    const socket = await handshake(t, cloud)
    assert.equal(socket.getPeerCertificate().fingerprint256, fingerprintOf(own))
  })

  test('TLS-5: a replaced certificate; an open socket stays', async (t) => {
    const [first, second] = [await testCertificate(), await testCertificate()]
    const { cloud, folder, clock } = await start(t, first)
    const token = await cloud.token('ada@example.com')
    const socket = new WebSocket(`${cloud.wsUrl}/glasses-ws?token=${token}`)
    t.after(() => socket.terminate())
    await once(socket, 'message')
    assert.equal(await servedFingerprint(t, cloud), fingerprintOf(first))
    await folder.replace(second)
    await reloadUntil(
      clock,
      'the new certificate',
      async () => (await servedFingerprint(t, cloud)) === fingerprintOf(second),
    )
    const pong = once(socket, 'pong')
    socket.ping()
    await pong
    assert.equal(socket.readyState, WebSocket.OPEN)
  })

  test('TLS-6: half-written files, another key and files that are gone', async (t) => {
    const [first, second, third] = await Promise.all([
      testCertificate(),
      testCertificate(),
      testCertificate(),
    ])
    const { cloud, folder, clock } = await start(t, first)
    const { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile } = folder.env
    const problems = () =>
      cloud.logged.flatMap(({ msg, problem }) =>
        msg === 'tls: the previous certificate stays in use' ? [String(problem)] : [],
      )
    const steps: [change: () => Promise<unknown>, reported: RegExp][] = [
      [() => writeFile(certFile, second.certificate.slice(0, 200)), /is not a certificate in PEM/],
      [() => writeFile(certFile, second.certificate), /is not the private key of/],
      [() => rename(keyFile, `${keyFile}.gone`), /TLS_KEY_FILE \S+ does not exist$/],
    ]
    for (const [change, reported] of steps) {
      const before = problems().length
      await change()
      await reloadUntil(clock, `${reported}`, async () =>
        problems()
          .slice(before)
          .some((each) => reported.test(each)),
      )
      assert.equal(await servedFingerprint(t, cloud), fingerprintOf(first))
    }
    const { body: metrics } = await cloud.request<string>('GET', '/metrics')
    assert.match(metrics, /^tls_renewal_failures [1-9]/m)
    await folder.replace(third)
    await reloadUntil(
      clock,
      'the new certificate',
      async () => (await servedFingerprint(t, cloud)) === fingerprintOf(third),
    )
    const { body: after } = await cloud.request<string>('GET', '/metrics')
    assert.match(after, /^tls_renewal_failures 0$/m)
  })

  test('TLS-3: unusable files stop the start', async (t) => {
    const pair = await testCertificate()
    const other = await testCertificate()
    const folder = await certificateFolder(t, pair)
    const { TLS_KEY_FILE: keyFile, TLS_CERT_FILE: certFile } = folder.env
    const begin = (env: Record<string, string>) =>
      startCloud(t, { env: { ...folder.env, PORT: '0', HOST: '127.0.0.1', ...env } })
    await writeFile(`${keyFile}.other`, other.key)
    await writeFile(`${keyFile}.text`, 'hello')
    await assert.rejects(
      begin({ TLS_CERT_FILE: '/nowhere/tls.crt' }),
      /^ConfigError: TLS_CERT_FILE \/nowhere\/tls.crt does not exist\.$/,
    )
    await assert.rejects(begin({ TLS_KEY_FILE: `${keyFile}.other` }), /is not the private key of/)
    await assert.rejects(begin({ TLS_KEY_FILE: `${keyFile}.text` }), /is not a private key in PEM/)
    await assert.rejects(begin({ TLS_CERT_FILE: keyFile }), /is not a certificate in PEM/)
    await assert.rejects(
      begin({ TLS_KEY_FILE: certFile.replace(/\/[^/]+$/, '') }),
      /cannot be read \(EISDIR\)/,
    )
  })

  test('TLS-4: expired, not yet valid, and for another host', async (t) => {
    const hour = 3_600_000
    const cases: [KeyPair, RegExp][] = [
      [
        await testCertificate({ notBefore: Date.now() - 2 * hour, notAfter: Date.now() - hour }),
        /^the certificate expired at .*renew it/,
      ],
      [
        await testCertificate({ notBefore: Date.now() + hour }),
        /^the certificate is valid from .*may be wrong$/,
      ],
      [
        await testCertificate({ names: ['a.example.org'] }),
        /^the certificate is for a\.example\.org, not for localhost;/,
      ],
    ]
    for (const [pair, expected] of cases) {
      const { cloud } = await start(t, pair, { PUBLIC_URL: 'https://localhost:8443' })
      const logged = cloud.logged.find(({ msg }) => msg === 'tls: clients will refuse the certificate')
      assert.match(String(logged?.problem), expected)
      const { out } = await cli(cloud.env, 'doctor')
      assert.match(out, new RegExp(`https.*${expected.source.replace(/^\^|\$$/g, '')}`))
      await cloud.stop()
    }
  })

  test('TLS-13: metrics and doctor', async (t) => {
    const { cloud } = await start(t, await testCertificate())
    const { body } = await cloud.request<string>('GET', '/metrics')
    const seconds = Number(/^tls_certificate_expires_seconds (\d+)$/m.exec(body)?.[1])
    assert.ok(seconds > 11 * 3_600 && seconds <= 12 * 3_600, String(seconds))
    const { out } = await cli({ ...cloud.env, PORT: String(cloud.cloud.port) }, 'doctor')
    assert.match(out, /certificate for localhost, 127\.0\.0\.1 by Authority of the tests, until /)
    assert.match(out, /ready at https:\/\/127\.0\.0\.1:/)
  })
})

describe('NODE_URL with HTTPS', () => {
  test('TLS-14: a name that is not in the certificate is reported, and http is refused', async (t) => {
    const problemsOf = async (nodeUrl: string) => {
      const { cloud } = await start(t, await testCertificate(), { NODE_URL: nodeUrl })
      return cloud.logged
        .filter(({ msg }) => msg === 'tls: other nodes cannot fetch the video of streams from this one')
        .map(({ problem }) => problem)
    }
    assert.deepEqual(await problemsOf('https://localhost:8443'), [])
    assert.deepEqual(await problemsOf('https://10.0.0.2:8443'), [
      'the certificate is not for 10.0.0.2; set NODE_URL to https:// with a name of the certificate',
    ])
    await assert.rejects(
      problemsOf('http://localhost:8080'),
      /NODE_URL must begin with https:\/\/ while TLS=files/,
    )
  })
})

describe('a TLS port', () => {
  test('TLS-7: version 1.2 or newer with forward secrecy', async (t) => {
    const { cloud } = await start(t, await testCertificate())
    const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' }
    await assert.rejects(handshake(t, cloud, old))
    await assert.rejects(handshake(t, cloud, { maxVersion: 'TLSv1.2', ciphers: 'AES128-SHA' }))
    await assert.rejects(handshake(t, cloud, { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-SHA' }))
    const modern = await handshake(t, cloud, { maxVersion: 'TLSv1.2' })
    assert.match(modern.getCipher().name, /^ECDHE-ECDSA-.*(GCM|CHACHA20)/)
    assert.equal((await handshake(t, cloud)).getProtocol(), 'TLSv1.3')
  })

  test('TLS-7: another node resumes a session; not on the next day', async (t) => {
    const pair = await testCertificate()
    const one = await start(t, pair)
    const other = await start(t, pair)
    const first = await handshake(t, one.cloud, { maxVersion: 'TLSv1.2' })
    const session = first.getSession()
    assert.equal(
      (await handshake(t, other.cloud, { maxVersion: 'TLSv1.2', session })).isSessionReused(),
      true,
    )
    other.clock.advance(24 * 3_600_000 + 2_000)
    assert.equal(
      (await handshake(t, other.cloud, { maxVersion: 'TLSv1.2', session })).isSessionReused(),
      false,
    )
  })

  test('TLS-8: plain HTTP gets a hint, other bytes close the connection', async (t) => {
    const { cloud } = await start(t, await testCertificate())
    const send = async (bytes: string | Buffer) => {
      const socket = connectPlain(cloud.cloud.port, '127.0.0.1')
      t.after(() => socket.destroy())
      socket.write(bytes)
      return text(socket)
    }
    assert.match(
      await send('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'),
      /^HTTP\/1\.1 400 .*\r\n\r\nThis port speaks HTTPS: use an address that begins with https:\/\/\n$/s,
    )
    assert.equal(await send(Buffer.from([0x03, 0x00, 0x01, 0x02])), '')
    assert.equal(await send('SSH-2.0-client\r\n'), '')
    // A handshake that is none: the answer is an alert, without details.
    assert.ok((await send(Buffer.from('160301000a01000006000000000000', 'hex'))).length < 16)
    assert.deepEqual(
      cloud.logged.filter(({ level, setUpCode }) => Number(level) > 30 && setUpCode === undefined),
      [],
    )
    assert.equal((await cloud.request('GET', '/healthz')).status, 200)
  })
})

describe('settings of HTTPS', () => {
  test('TLS-1: plain HTTP beyond this machine is reported', async (t) => {
    const logs = async (env: Record<string, string>) =>
      (await startCloud(t, { env: { LOG_LEVEL: 'warn', ...env } })).logged.map(({ msg }) => String(msg))
    const warning = /^HOST=0\.0\.0\.0 serves plain HTTP beyond this machine/
    assert.match((await logs({ HOST: '0.0.0.0' })).join('\n'), warning)
    assert.deepEqual(await logs({ HOST: '127.0.0.1' }), [])
    assert.deepEqual(await logs({ HOST: '0.0.0.0', PUBLIC_URL: 'https://cloud.example.org' }), [])
    const { out } = await cli({ HOST: '0.0.0.0', DATA_DIR: '/dev/null/data' }, 'doctor')
    assert.match(out, /serves plain HTTP beyond this machine/)
  })

  test('TLS-11: strict transport for names of the DNS only', async (t) => {
    const strict = async (names: string[], env: Record<string, string> = {}) => {
      const { cloud } = await start(t, await testCertificate({ names }), env)
      const response = await fetch(`https://localhost:${cloud.cloud.port}/healthz`)
      return response.headers.has('strict-transport-security')
    }
    assert.equal(await strict(['localhost', 'example.org'], { PUBLIC_URL: 'https://example.org' }), true)
    assert.equal(await strict(['localhost', '127.0.0.1'], { PUBLIC_URL: 'https://127.0.0.1' }), false)
    assert.equal(await strict(['localhost']), false)
  })
})

describe('the port of plain HTTP', () => {
  test('TLS-10: redirects to the same host if it is in the certificate, otherwise to the public one', async (t) => {
    const port = await findFreePort()
    const { cloud } = await start(
      t,
      await testCertificate({ names: ['localhost', 'example.org', 'b.example.org'] }),
      {
        PUBLIC_URL: 'https://example.org',
        TLS_REDIRECT_PORT: String(port),
      },
    )
    const get = async (head: string) => {
      const socket = connectPlain(port, '127.0.0.1')
      t.after(() => socket.destroy())
      socket.end(`${head}\r\n\r\n`)
      const response = await text(socket)
      return [Number(response.slice(9, 12)), /^location: (.*)$/m.exec(response)?.[1]?.trim()]
    }
    const { port: https } = cloud.cloud
    const cases: [head: string, response: [number, string | undefined]][] = [
      ['GET /a?b=c HTTP/1.1\r\nHost: example.org', [301, 'https://example.org/a?b=c']],
      ['POST /api/x HTTP/1.1\r\nHost: example.org\r\nContent-Length: 0', [308, 'https://example.org/api/x']],
      ['GET / HTTP/1.1\r\nHost: b.example.org:80', [301, `https://b.example.org:${https}/`]],
      ['GET / HTTP/1.1\r\nHost: evil.example', [301, 'https://example.org/']],
      ['GET / HTTP/1.1\r\nHost: example.org@evil.example', [301, 'https://example.org/']],
      ['GET //evil.example/ HTTP/1.1\r\nHost: example.org', [301, 'https://example.org//evil.example/']],
      ['GET /\\evil.example HTTP/1.1\r\nHost: example.org', [301, 'https://example.org/\\evil.example']],
      ['GET http://evil.example/ HTTP/1.1\r\nHost: evil.example', [301, 'https://example.org/']],
      ['GET / HTTP/1.0', [301, 'https://example.org/']],
      [
        'GET /.well-known/acme-challenge/../../etc/passwd HTTP/1.1\r\nHost: example.org',
        [301, 'https://example.org/.well-known/acme-challenge/../../etc/passwd'],
      ],
      [
        'GET /glasses-ws HTTP/1.1\r\nHost: example.org\r\nConnection: Upgrade\r\nUpgrade: websocket',
        [426, undefined],
      ],
    ]
    for (const [head, response] of cases) assert.deepEqual(await get(head), response, head)
  })

  test('TLS-10: a port in use stops the start', async (t) => {
    const { cloud } = await start(t, await testCertificate())
    await assert.rejects(
      start(t, await testCertificate(), { TLS_REDIRECT_PORT: String(cloud.cloud.port) }),
      /^Error: Port \d+ is in use; set TLS_REDIRECT_PORT to a free one, or to 0\.$/,
    )
  })
})
