import assert from 'node:assert/strict'
import { once } from 'node:events'
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { connect } from 'node:tls'
import { testAuthority, testCertificate } from '@glasses-cloud/cloud/test/certificates'
import { startPebble } from '@glasses-cloud/cloud/test/pebble'
import { type BareRoot, skipUnlessPossible, stop } from './bare-root.ts'
import { freePort } from './conformance.ts'
import { AS_USER, HOME, PROGRAM, rootWithFile } from './single-file.ts'

/** Connects to a port of this machine, and checks the certificate for a name. @param ca the only trusted authority */
async function issuerAt(port: number, servername: string, ca: string): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port, servername, ca })
  try {
    await once(socket, 'secureConnect')
    return String(socket.getPeerCertificate().issuer.CN)
  } finally {
    socket.destroy()
  }
}

describe('HTTPS of the single file, in a root without Node', { skip: skipUnlessPossible() }, () => {
  let root: BareRoot
  before(() => {
    root = rootWithFile()
  })
  after(() => root.remove())

  /** Starts the file with a folder of data for each kind of certificate. */
  const start = async (name: string, env: Record<string, string>) => {
    const options = { ...AS_USER, env: { ...AS_USER.env, DATA_DIR: `${HOME}/${name}`, ...env } }
    const cloud = await root.start([PROGRAM], options)
    return { cloud, health: (...args: string[]) => root.run([PROGRAM, 'health', ...args], options) }
  }

  for (const challenge of ['http-01', 'tls-alpn-01'])
    test(`REL-4: a certificate from an authority by ${challenge}`, async (t) => {
      const pebble = await startPebble(t)
      const trusted = `${HOME}/directory.pem`
      cpSync(pebble.directoryAuthority, join(root.folder, trusted))
      const { cloud, health } = await start(challenge, {
        ...pebble.env,
        PORT: String(pebble.tlsPort),
        TLS_REDIRECT_PORT: String(pebble.httpPort),
        TLS_ACME_CHALLENGE: challenge,
        NODE_EXTRA_CA_CERTS: trusted,
      })
      const { status, stderr } = health('--wait', '60')
      assert.equal(status, 0, stderr + cloud.output())
      const issuer = await issuerAt(pebble.tlsPort, 'cloud.example.org', await pebble.root())
      assert.match(issuer, /^Pebble Intermediate/)
      assert.equal(await stop(cloud), 0)
    })

  test('REL-4: a certificate of its own authority', async () => {
    const [port, plainPort] = [await freePort(), await freePort()]
    const settings = { TLS: 'local', PORT: `${port}`, TLS_REDIRECT_PORT: `${plainPort}` }
    const { cloud, health } = await start('local', settings)
    assert.equal(health().status, 0)
    const file = await fetch(`http://127.0.0.1:${plainPort}/tls/authority.crt`)
    const der = Buffer.from(await file.arrayBuffer()).toString('base64')
    const authority = `-----BEGIN CERTIFICATE-----\n${der}\n-----END CERTIFICATE-----\n`
    assert.match(await issuerAt(port, 'localhost', authority), /^Glasses Cloud on /)
    assert.equal(await stop(cloud), 0)
  })

  test('REL-4: a certificate in files', async () => {
    const pair = await testCertificate()
    const [cert, key] = [`${HOME}/tls.crt`, `${HOME}/tls.key`]
    writeFileSync(join(root.folder, cert), pair.certificate)
    writeFileSync(join(root.folder, key), pair.key)
    const port = await freePort()
    const settings = {
      TLS: 'files',
      TLS_CERT_FILE: cert,
      TLS_KEY_FILE: key,
      HOST: '127.0.0.1',
      PORT: `${port}`,
    }
    const { cloud, health } = await start('files', settings)
    assert.equal(health().status, 0)
    const { certificate: authority } = await testAuthority()
    assert.equal(await issuerAt(port, 'localhost', authority), 'Authority of the tests')
    assert.equal(await stop(cloud), 0)
  })
})
