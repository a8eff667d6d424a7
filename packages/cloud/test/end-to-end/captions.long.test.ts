import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, test } from 'node:test'
import { Glasses, PhoneApi } from '@glasses-cloud/phone'
import { findFreePort } from '../../src/http/free-port.ts'
import { VirtualClock } from '../../src/time/testing/virtual-clock.ts'
import type { Scope } from '../support/scope.ts'
import { SdkApp } from '../support/sdk-app.ts'
import { spawnCloud, startCloud, type TestCloud } from '../support/test-cloud.ts'

// With hyphens wherever they are allowed, because a hyphen separates the parts of the app session id.
const packageName = 'dev.my-app.live-captions'
const email = 'Ann-Marie@ex-ample.com'
const lensTimeout = { timeoutMs: 20_000 }

describe('captions app on the unmodified SDK', () => {
  test('speech is shown as captions by an app started over REST', async (t) => {
    // In this process, where its frames are compared with the AsyncAPI document.
    const cloud = await startCloud(t)
    await showCaptions(t, cloud)
  })

  test('captions work in a cloud that runs its bundle', async (t) => {
    const cloud = await spawnCloud(t)
    await showCaptions(t, cloud)
  })

  async function showCaptions(t: Scope, cloud: TestCloud) {
    const { glasses, phone, app } = await startCaptions(t, cloud)
    await glasses.waitForMicrophone('transcription')
    await glasses.speak('Hello out there', { language: 'en-US', interim: true })
    await glasses.waitForDisplay('Hello out there', lensTimeout)
    await phone.stopApp(packageName)
    await glasses.waitForMessage('app_stopped')
    await app.waitForLine(/session stopped/)
    await glasses.waitForDisplay((lens) => lens.text.trim() === '', lensTimeout)
    await glasses.waitForMicrophone(false, lensTimeout)
  }

  test('captions work in the envelope dialect', async (t) => {
    const cloud = await spawnCloud(t)
    const { glasses } = await startCaptions(t, cloud, { dialect: 'envelope' })
    await glasses.speak('In an envelope', { language: 'en-US', interim: true })
    await glasses.waitForDisplay('In an envelope', lensTimeout)
  })

  test('the app keeps running while the glasses are disconnected for 30 s', async (t) => {
    const clock = new VirtualClock(Date.now())
    // In this process, whose clock passes 40 seconds at once.
    const cloud = await startCloud(t, { overrides: { clock } })
    const time = runClock(t, cloud, clock)
    const { glasses: before, app } = await startCaptions(t, cloud)
    await before.speak('Before the tunnel', { language: 'en-US' })
    await before.waitForDisplay('Before the tunnel', lensTimeout)
    await before.disconnect()
    await time.pass(10_000)
    const glasses = new Glasses({ url: cloud.url, token: await cloud.token(email), reconnect: false })
    t.after(() => glasses.disconnect())
    await glasses.connect()
    await glasses.waitForDisplay('Before the tunnel', lensTimeout)
    await glasses.disconnect()
    await time.pass(30_000)
    await glasses.connect()
    await glasses.waitForMicrophone('transcription', lensTimeout)
    await glasses.speak('After the tunnel', { language: 'en-US' })
    await glasses.waitForDisplay('After the tunnel', lensTimeout)
    assert.equal(sessionsStarted(app), 1, 'the app session was restarted')
  })

  test('app and glasses reconnect after the cloud was killed and restarted', async (t) => {
    const env = { PORT: String(await findFreePort()) }
    const first = await spawnCloud(t, { env })
    const { glasses } = await startCaptions(t, first)
    await glasses.speak('Before the crash', { language: 'en-US' })
    await glasses.waitForDisplay('Before the crash', lensTimeout)
    await first.kill()
    const reconnected = new Promise((resolve) => glasses.once('ack', resolve))
    const second = await spawnCloud(t, { env: first.env })
    await reconnected
    await waitUntilRunning(second, await second.token(email))
    await glasses.waitForMicrophone('transcription', lensTimeout)
    await glasses.speak('After the crash', { language: 'en-US' })
    await glasses.waitForDisplay('After the crash', lensTimeout)
  })

  test('an app process that was killed and restarted gets a new session and shows its content', async (t) => {
    const cloud = await spawnCloud(t)
    const { glasses, app, options } = await startCaptions(t, cloud)
    await app.kill()
    await glasses.waitForMessage(
      'app_state_change',
      ({ apps }) => stateOf(apps) === 'restarting',
      lensTimeout,
    )
    const again = await SdkApp.start(t, options)
    await again.waitForLine(/session started/)
    await glasses.waitForMicrophone('transcription', lensTimeout)
    await glasses.speak('Back again', { language: 'en-US' })
    await glasses.waitForDisplay('Back again', lensTimeout)
  })

  test('newer glasses take over the session, the older are closed, and the app continues', async (t) => {
    const cloud = await spawnCloud(t)
    const { glasses, app } = await startCaptions(t, cloud)
    const token = await cloud.token(email)
    const newer = new Glasses({ url: cloud.url, token, reconnect: false })
    t.after(() => newer.disconnect())
    const closed = once(glasses, 'close')
    await newer.connect()
    assert.equal((await closed)[0].code, 4409)
    await newer.waitForMicrophone('transcription', lensTimeout)
    await newer.speak('On the newer ones', { language: 'en-US' })
    await newer.waitForDisplay('On the newer ones', lensTimeout)
    assert.equal(sessionsStarted(app), 1)
  })

  test('app and glasses reconnect after a graceful restart of the cloud', async (t) => {
    const env = { PORT: String(await findFreePort()) }
    const first = await spawnCloud(t, { env })
    const { glasses } = await startCaptions(t, first)
    const reconnected = new Promise((resolve) => glasses.once('ack', resolve))
    await first.stop()
    const second = await spawnCloud(t, { env: first.env })
    await reconnected
    await waitUntilRunning(second, await second.token(email))
    await glasses.waitForMicrophone('transcription', lensTimeout)
    await glasses.speak('After the restart', { language: 'en-US' })
    await glasses.waitForDisplay('After the restart', lensTimeout)
  })
})

async function startCaptions(t: Scope, cloud: TestCloud, glassesOptions: { dialect?: 'envelope' } = {}) {
  const { app, apiKey, port } = await SdkApp.register(t, cloud, 'captions', {
    packageName,
    name: 'Live captions',
    appType: 'STANDARD',
    permissions: [{ type: 'MICROPHONE', description: 'To hear what is said' }],
  })
  const options = { app: 'captions', packageName, apiKey, port }
  const token = await cloud.token(email)
  const glasses = new Glasses({
    url: cloud.url,
    token,
    reconnect: { firstMs: 200, maxMs: 500 },
    ...glassesOptions,
  })
  t.after(() => glasses.disconnect())
  await glasses.connect()
  const phone = new PhoneApi({ url: cloud.url, token })
  await phone.install(packageName)
  await phone.startApp(packageName)
  await glasses.waitForMicrophone('transcription', lensTimeout)
  return { glasses, phone, app, options }
}

/** Waits until REST reports the app as running. */
async function waitUntilRunning(cloud: TestCloud, token: string): Promise<void> {
  const deadline = Date.now() + lensTimeout.timeoutMs
  while (Date.now() < deadline) {
    const { body } = await cloud.request<{ data: { packageName: string; is_running: boolean }[] }>(
      'GET',
      '/api/apps',
      { token },
    )
    if (body.data.some((app) => app.packageName === packageName && app.is_running)) return
  }
  throw new Error('the app did not restart')
}

function sessionsStarted({ lines }: SdkApp): number {
  return lines.filter((line) => line.includes('session started')).length
}

function stateOf(apps: unknown): string | undefined {
  return (apps as { packageName: string; state: string }[]).find((app) => app.packageName === packageName)
    ?.state
}

/** Advances a virtual clock with the real one and, with `pass`, ahead of it. */
function runClock(t: Scope, cloud: TestCloud, clock: VirtualClock) {
  let at = Date.now()
  const beat = setInterval(() => {
    const now = Date.now()
    clock.advance(now - at)
    at = now
  }, 10)
  t.after(() => clearInterval(beat))
  return {
    /** Advances the clock in steps short enough for sockets to answer their pings. */
    async pass(ms: number): Promise<void> {
      for (let passed = 0; passed < ms; passed += 5_000) {
        clock.advance(5_000)
        for (let trip = 0; trip < 5; trip += 1) await cloud.request('GET', '/healthz')
      }
    },
  }
}
