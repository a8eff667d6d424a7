import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { describe, type TestContext, test } from 'node:test'
import { EvenG1Model } from '@glasses-cloud/device-models'
import { Glasses, Phone, PhoneApi, systemClock } from '@glasses-cloud/phone'
import { EvenG1 } from '@glasses-cloud/phone/even-g1'
import { findFreePort } from '../../src/http/free-port.ts'
import { trustRoots } from '../../src/tls/open-tls.ts'
import { spawnCloud, type TestCloud } from '../support/test-cloud.ts'
import { waitFor } from '../support/wait-for.ts'

const packageName = 'dev.glasses-cloud.captions'
const timeout = { timeoutMs: 30_000 }

/** The package names in the store. */
async function store(cloud: TestCloud): Promise<string[]> {
  const token = await cloud.token('visitor@example.org')
  const { body } = await cloud.request<{ data: { packageName: string }[] }>('GET', '/api/apps/available', {
    token,
  })
  return body.data.map((app) => app.packageName)
}

describe('the sample app', () => {
  test('SAPP-1: shows captions on a new cloud, and leaves the store when it is switched off', async (t) => {
    const cloud = await spawnCloud(t, { env: { SAMPLE_APP: 'on' } })
    await showCaptions(t, cloud)
    await showKorean(t, cloud)
    await cloud.stop()

    const later = await spawnCloud(t, { env: { ...cloud.env, SAMPLE_APP: 'off' } })
    await waitFor('the removal of the app', async () => !(await store(later)).includes(packageName))
  })

  test('SAPP-1 TLS-30: shows captions with TLS=local', async (t) => {
    const port = await findFreePort()
    const env = { TLS: 'local', HOST: '127.0.0.1', TLS_REDIRECT_PORT: String(port), SAMPLE_APP: 'on' }
    const cloud = await spawnCloud(t, { env })
    assert.match(cloud.url, /^https:/)
    const authority = await fetch(`http://127.0.0.1:${port}/tls/authority.crt`)
    trustRoots([new X509Certificate(await authority.bytes()).toString()])
    await showCaptions(t, cloud)
  })

  /** Installs and starts the app, and reads what it shows. */
  async function showCaptions(t: TestContext, cloud: TestCloud): Promise<void> {
    await waitFor('the publication of the app', async () => (await store(cloud)).includes(packageName))
    const token = await cloud.token('wearer@example.org')
    const glasses = new Glasses({ url: cloud.url, token, reconnect: false })
    t.after(() => glasses.disconnect())
    await glasses.connect(timeout)
    const phone = new PhoneApi({ url: cloud.url, token })
    await phone.install(packageName)
    // The app's server may still be starting.
    await waitFor('the start of the app', () => phone.startApp(packageName).then(() => true))
    await glasses.waitForMicrophone('transcription', timeout)
    await glasses.speak('Hello there', { language: 'en-US' })
    await glasses.waitForDisplay('Hello there', timeout)
    await glasses.disconnect()
  }

  /** Shows Korean as macOS writes it, with characters that take no room, on an Even G1. */
  async function showKorean(t: TestContext, cloud: TestCloud): Promise<void> {
    const token = await cloud.token('reader@example.org')
    const model = new EvenG1Model(systemClock)
    const glasses = new EvenG1({ left: model.left, right: model.right, clock: systemClock })
    const phone = new Phone(glasses, { url: cloud.url, token, reconnect: false })
    t.after(() => phone.disconnect())
    await phone.connect(timeout)
    await phone.api.install(packageName)
    await waitFor('the start of the app', () => phone.api.startApp(packageName).then(() => true))
    await phone.waitForMicrophone('transcription', timeout)
    const text = '\ufeff안경으로 읽는 한국어 자막은 두 줄이면\u200b 충분합니다'.normalize('NFD')
    phone.send({ type: 'local_transcription', text, isFinal: true, language: 'en-US' })
    const lines = ['안경으로 읽는 한국어 자막은 두 줄이면', '충분합니다']
    await waitFor('two lines', () =>
      model.arms.every(({ lens }) => lens.lines.join('\n') === lines.join('\n')),
    )
    await phone.disconnect()
  }

  test("leaves a developer's app of its package alone", async (t) => {
    const first = await spawnCloud(t)
    const publicUrl = 'http://127.0.0.1:9'
    await first.registerApp({ packageName, publicUrl, developerId: 'dev@example.org' })
    await first.stop()
    const cloud = await spawnCloud(t, { env: { ...first.env, SAMPLE_APP: 'on', LOG_LEVEL: 'error' } })
    await waitFor('the log line', () => cloud.logged.some(({ msg }) => msg === 'the sample app does not run'))
    assert.equal((await cloud.operator.apps.findByPackage(packageName))?.publicUrl, publicUrl)
  })
})
