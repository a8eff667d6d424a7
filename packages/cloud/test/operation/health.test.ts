import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { findFreePort } from '../../src/http/free-port.ts'
import { VirtualClock } from '../../src/time/testing/virtual-clock.ts'
import { ORDER_CHECK_MS } from '../../src/tls/acme/acme-certificates.ts'
import { certificateFolder, testCertificate } from '../support/certificates.ts'
import { cli } from '../support/cli.ts'
import { pebbleMissing, startPebble } from '../support/pebble.ts'
import { startCloud } from '../support/test-cloud.ts'
import { waitFor } from '../support/wait-for.ts'

/** Asserts that a cloud with these settings is healthy while it runs, and not before and after. */
async function assertHealth(t: TestContext, settings: Record<string, string>, scheme: 'http' | 'https') {
  const env = { HOST: '127.0.0.1', PORT: String(await findFreePort()), ...settings }
  const address = `${scheme}://127.0.0.1:${env.PORT}`
  const refused = `No cloud responds at ${address} (ECONNREFUSED): start it, or check HOST, PORT and TLS\n`
  assert.deepEqual(await cli(env, 'health'), { code: 1, out: '', err: refused })
  const cloud = await startCloud(t, { env })
  const ready = { code: 0, out: `The cloud at ${address} is ready\n`, err: '' }
  assert.deepEqual(await cli(cloud.env, 'health'), ready)
  await cloud.stop()
  assert.equal((await cli(cloud.env, 'health')).code, 1)
}

describe('health', () => {
  test('CLI-45: a cloud without HTTPS', (t) => assertHealth(t, {}, 'http'))

  test('CLI-45: TLS=files, also with an expired certificate for another host', async (t) => {
    const pair = await testCertificate({ names: ['a.example.org'], notAfter: Date.now() - 1_000 })
    const { env } = await certificateFolder(t, pair)
    await assertHealth(t, env, 'https')
  })

  test('CLI-45: TLS=local', (t) =>
    assertHealth(t, { TLS: 'local', TLS_REDIRECT_PORT: '0', HOST: '0.0.0.0' }, 'https'))

  test('CLI-45: TLS=auto, before and after the first certificate', { skip: pebbleMissing }, async (t) => {
    const pebble = await startPebble(t, { isStarted: false })
    const env = { ...pebble.env, PORT: String(pebble.tlsPort), TLS_REDIRECT_PORT: String(pebble.httpPort) }
    const clock = new VirtualClock(Date.now())
    const cloud = await startCloud(t, { env, overrides: { clock } })
    const { code, err } = await cli(cloud.env, 'health')
    assert.equal(code, 1)
    assert.match(err, /^The cloud at \S+ is not ready: certificate: Glasses Cloud is getting its HTTPS/)
    await pebble.start()
    await waitFor('health', async () => {
      clock.advance(ORDER_CHECK_MS)
      return (await cli(cloud.env, 'health')).code === 0
    })
  })

  test('CLI-45: waits until the cloud is ready, and no longer than it should', async (t) => {
    const env = { PORT: String(await findFreePort()) }
    const waiting = cli(env, 'health', '--wait', '60')
    const cloud = await startCloud(t, { env })
    assert.equal((await waiting).code, 0)
    await cloud.stop()
    const started = performance.now()
    assert.equal((await cli(env, 'health', '--wait', '1')).code, 1)
    assert.ok(performance.now() - started >= 1_000)
    assert.equal((await cli(env, 'health', '--wait', 'long')).code, 2)
  })

  test('CLI-45: another program at the port, and a port that is not known', async (t) => {
    const cloud = await startCloud(t)
    const port = String(cloud.cloud.port)
    const { code, err } = await cli({ PORT: port, TLS: 'local' }, 'health')
    assert.equal(code, 1)
    assert.match(err, /^No cloud responds at https:\S+ \(\w+\): start it, or check HOST, PORT and TLS\n$/)
    assert.equal(
      (await cli({ PORT: '0' }, 'health')).err,
      'PORT is 0, so the port of the cloud is not known\n',
    )
  })
})
