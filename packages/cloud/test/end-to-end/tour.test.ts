import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { Glasses, Phone } from '@glasses-cloud/glasses'
import { performStep, sampleCalendarEvent } from '@glasses-cloud/glasses/tour'
import { espeakMissing } from '../../src/features/tts/testing/espeak-missing.ts'
import { FlakyProxy } from '../support/flaky-proxy.ts'
import { freePort, SdkApp } from '../support/sdk-app.ts'
import { type Scope, startCloud, type TestCloud, type TestManifest } from '../support/test-cloud.ts'
import { checks, type TourWorld } from '../support/tour-checks.ts'

/**
 * What the SDK complains of although the cloud did nothing wrong, and how often. Everything else that it writes to its
 * error output, or logs as a warning or worse, fails the test.
 */
const expectedComplaints: readonly { readonly line: RegExp; readonly times: number; readonly why: string }[] =
  [
    {
      line: /WARN: Permission error received/,
      times: 1,
      why: 'the step "missing permission" asks for what the app may not have, to show what comes of it',
    },
    {
      line: /ERROR: Error checking if user is active/,
      times: 1,
      why: 'isUserActive asks the empty address, whatever the cloud',
    },
    {
      line: /ERROR: Error fetching instructions from backend/,
      times: 1,
      why: 'getInstructions asks by HTTP at the address of the socket, whatever the cloud',
    },
    {
      line: /WARN: 🔊 Received audio play response for unknown request ID/u,
      times: 2,
      why: 'the SDK knows nothing of sounds beside others, and of those given up; all are told what became of a sound',
    },
    {
      line: /^Frontend token verification failed: Error: Invalid frontend token format/,
      times: 1,
      why: 'to the SDK every bearer is a token of its web pages, even what the app had the glasses send with a photo',
    },
    {
      line: /WARN: ⚠️ No active sessions found for user/,
      times: 1,
      why: 'an app that does not run is told of settings by web hook, and says that it does not run',
    },
  ]

describe('The tour on the unmodified SDK', () => {
  test('E2E-20 E2E-21: every step has its effect, and the SDK has nothing to complain of', {
    timeout: 120_000,
  }, async (t) => {
    const cloud = await startCloud(t, {
      env: { STREAM_PROVIDER: 'memory', ...(espeakMissing === false && { TTS_PROVIDER: 'espeak' }) },
    })
    const dashboard = await serve(t, cloud, 'dashboard')
    const tour = await serve(t, cloud, 'tour')
    const companion = await wear(t, cloud, 'companion@ex-ample.com')
    await companion.phone.install(tour.packageName)
    await companion.phone.startApp(tour.packageName)
    await tour.app.waitForLine(/^tour: ready, /)

    const email = 'ann-marie@ex-ample.com'
    const { glasses, phone, token } = await wear(t, cloud, email)
    await phone.sendCalendar([sampleCalendarEvent()])
    await phone.startApp(dashboard.packageName)
    await phone.install(tour.packageName)
    await phone.startApp(tour.packageName)
    await glasses.waitForDisplay('Press the button', { timeoutMs: 15_000 })
    const ready = await tour.app.waitForLine(/^tour: ready, /)
    assert.deepEqual(ready.slice(ready.lastIndexOf(': ') + 2).split('; '), Object.keys(checks))

    const { packageName, apiKey } = tour
    const world: TourWorld = { cloud, token, email, apiKey, glasses, phone, packageName, wordMs: 0 }
    for (const [step, check] of Object.entries(checks)) {
      await performStep(step, world)
      const line = await tour.app.waitForLine(new RegExp(`^tour: ${step} (ok|failed|not configured): `))
      try {
        await check(world, line.slice(`tour: ${step} `.length))
      } catch (cause) {
        throw new Error(`${line}: not so on the other side`, { cause })
      }
    }
    await tour.app.waitForLine(/^tour: tour complete/)

    const before = tour.app.lines.length
    await phone.startApp(packageName)
    await tour.app.waitForLine(/^tour: ready, /, before)
    await phone.stopApp(packageName)
    await tour.app.waitForLine(/^tour: session stopped: user_disabled/)
    assert.equal(await phone.callTool(packageName, 'show', { text: 'Tea' }), 'The tour is not running.')
    await phone.updateAppSettings(packageName, { loud: true })
    await tour.app.waitForLine(/^tour: settings changed by webhook: loud, pace/)
    await tour.app.end()
    assert.ok(tour.app.lines.includes('tour: server stopping'))

    for (const { line, times, why } of expectedComplaints)
      assert.equal(complaints(tour.app).filter((one) => line.test(one)).length, times, why)
    const unexpected = [...complaints(tour.app), ...complaints(dashboard.app)].filter(
      (one) => !expectedComplaints.some(({ line }) => line.test(one)),
    )
    assert.deepEqual(unexpected, [])
  })

  test('E2E-22: an app whose connection breaks is told, and goes on where it was', {
    timeout: 60_000,
  }, async (t) => {
    // Apps alone come this way: phones connect to where the cloud really is.
    const way = await FlakyProxy.open(t)
    const cloud = await startCloud(t, { env: { PUBLIC_URL: way.url } })
    way.target = new URL(cloud.url)
    const { app, packageName } = await serve(t, cloud, 'tour')
    const { glasses, phone } = await wear(t, cloud, 'ann-marie@ex-ample.com')
    await phone.startApp(packageName)
    await glasses.waitForDisplay('Press the button', { timeoutMs: 15_000 })
    const goer = { glasses, phone, packageName, wordMs: 0 }
    await performStep('session', goer)
    await app.waitForLine(/^tour: session ok: /)
    way.break()
    await app.waitForLine(/^tour: disconnected/)
    // What comes meanwhile waits for the app.
    await performStep('web view links', goer)
    await app.waitForLine(/^tour: reconnected/)
    await app.waitForLine(/^tour: web view links ok: /)
    // Shown over the new connection.
    glasses.pressButton('next')
    await glasses.waitForDisplay('Open the app on the phone')
    await app.end()
    assert.equal(app.lines.filter((line) => line.startsWith('tour: ready, ')).length, 1)
    assert.deepEqual(
      complaints(app).filter((line) => !/Abnormal closure detected, attempting reconnection/.test(line)),
      [],
    )
  })
})

/** What the SDK wrote to its error output, or logged as a warning or worse. */
function complaints({ lines, errors }: SdkApp): string[] {
  const said = errors.filter((line) => !/^\s+at /.test(line))
  return [...said, ...lines.filter((line) => /^\[[^\]]+\] (WARN|ERROR|FATAL)\b/.test(line))]
}

/** Registers an app of the repository by its own manifest, and runs it. */
async function serve(t: Scope, cloud: TestCloud, name: string) {
  const path = new URL(`../../../../apps/${name}/manifest.json`, import.meta.url)
  const manifest: TestManifest & { publicUrl: string } = JSON.parse(await readFile(path, 'utf8'))
  const port = await freePort()
  const publicUrl = `http://127.0.0.1:${port}`
  const { webviewURL } = manifest
  const { packageName, apiKey } = await cloud.registerApp({
    ...manifest,
    publicUrl,
    ...(webviewURL && { webviewURL: webviewURL.replace(manifest.publicUrl, publicUrl) }),
  })
  return { packageName, apiKey, app: await SdkApp.start(t, { app: name, packageName, apiKey, port }) }
}

/** Puts glasses with a newer phone on somebody. */
async function wear(t: Scope, cloud: TestCloud, email: string) {
  const token = await cloud.token(email)
  const glasses = new Glasses({
    url: cloud.url,
    token,
    model: 'Even Realities G1',
    respondBy: 'rest',
    reconnect: false,
  })
  t.after(() => glasses.disconnect())
  await glasses.connect()
  return { glasses, token, phone: new Phone({ url: cloud.url, token }) }
}
