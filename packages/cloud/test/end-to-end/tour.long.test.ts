import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Glasses, PhoneApi } from '@glasses-cloud/phone'
import { performStep, sampleCalendarEvent } from '@glasses-cloud/phone/tour'
import { FlakyProxy } from '../support/flaky-proxy.ts'
import type { Scope } from '../support/scope.ts'
import { SdkApp } from '../support/sdk-app.ts'
import { spawnCloud, startCloud, type TestCloud } from '../support/test-cloud.ts'
import { checks, type TourRig } from '../support/tour-checks.ts'

/** The line that the question of the cloud for the version of the SDK causes (CMP-2). */
const versionQuestion = /WARN: 📸 No pending request found for photo/u

/**
 * Warnings and errors that the SDK logs although the cloud behaves as specified, and how often. Any other line on its
 * error output, and any other warning or error, fails the test.
 */
const expectedWarnings: readonly { readonly line: RegExp; readonly times: number; readonly why: string }[] = [
  {
    line: /WARN: Permission error received/,
    times: 1,
    why: 'the step "missing permission" subscribes to a stream without permission on purpose',
  },
  {
    line: /ERROR: Error checking if user is active/,
    times: 1,
    why: 'isUserActive calls an empty URL',
  },
  {
    line: /ERROR: Error fetching instructions from backend/,
    times: 1,
    why: 'getInstructions calls the socket URL over HTTP',
  },
  {
    line: /WARN: 🔊 Received audio play response for unknown request ID/u,
    times: 2,
    why: 'the SDK does not track sounds it does not wait for or has canceled, but the cloud reports their outcome',
  },
  {
    line: /^Frontend token verification failed: Error: Invalid frontend token format/,
    times: 1,
    why: 'the SDK verifies every bearer as a front-end token, even the token that glasses send with a photo',
  },
  {
    line: /WARN: ⚠️ No active sessions found for user/,
    times: 1,
    why: 'settings are sent by webhook to an app that does not run, and the SDK warns that it has no session',
  },
]

// Much of a tour is waiting, for example for the end of a sound.
describe('tour app on the unmodified SDK', { concurrency: 2 }, () => {
  const env = { STREAM_PROVIDER: 'memory' }

  test('every step has its effect, and the SDK logs no unexpected warning', async (t) => {
    // In this process, where its frames are compared with the AsyncAPI document.
    await takeTour(t, await startCloud(t, { env }))
  })

  test('every step has its effect in a cloud that runs its bundle', async (t) => {
    await takeTour(t, await spawnCloud(t, { env }))
  })

  async function takeTour(t: Scope, cloud: TestCloud) {
    const dashboard = await SdkApp.registerSample(t, cloud, 'dashboard')
    const tour = await SdkApp.registerSample(t, cloud, 'tour')
    const secondUser = await connectUser(t, cloud, 'companion@ex-ample.com')
    await secondUser.phone.install(tour.packageName)
    await secondUser.phone.startApp(tour.packageName)
    await tour.app.waitForLine(/^tour: ready, /)

    const email = 'ann-marie@ex-ample.com'
    const { glasses, phone, token } = await connectUser(t, cloud, email)
    await phone.sendCalendar([sampleCalendarEvent()])
    await phone.startApp(dashboard.packageName)
    await phone.install(tour.packageName)
    await phone.startApp(tour.packageName)
    await glasses.waitForDisplay('Press the button', { timeoutMs: 20_000 })
    const ready = await tour.app.waitForLine(/^tour: ready, /)
    assert.deepEqual(ready.slice(ready.lastIndexOf(': ') + 2).split('; '), Object.keys(checks))

    const { packageName, apiKey } = tour
    const rig: TourRig = { cloud, token, email, apiKey, glasses, phone, packageName, wordMs: 0 }
    for (const [step, check] of Object.entries(checks)) {
      await performStep(step, rig)
      const line = await tour.app.waitForLine(new RegExp(`^tour: ${step} (ok|failed|not configured): `))
      try {
        await check(rig, line.slice(`tour: ${step} `.length))
      } catch (cause) {
        throw new Error(`${line}: the check of its effect failed`, { cause })
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

    for (const { line, times, why } of expectedWarnings)
      assert.equal(warningsOf(tour.app).filter((one) => line.test(one)).length, times, why)
    const unexpected = [...warningsOf(tour.app), ...warningsOf(dashboard.app)].filter(
      (one) => !versionQuestion.test(one) && !expectedWarnings.some(({ line }) => line.test(one)),
    )
    assert.deepEqual(unexpected, [])
  }

  test('an app whose connection breaks continues in its session with the messages it missed', async (t) => {
    // Only apps use the proxy; phones connect to the cloud directly.
    const proxy = await FlakyProxy.open(t)
    const cloud = await spawnCloud(t, { env: { PUBLIC_URL: proxy.url } })
    proxy.target = new URL(cloud.localUrl)
    const { app, packageName } = await SdkApp.registerSample(t, cloud, 'tour')
    const direct = { ...cloud, url: cloud.localUrl }
    const { glasses, phone } = await connectUser(t, direct, 'ann-marie@ex-ample.com')
    await phone.startApp(packageName)
    await glasses.waitForDisplay('Press the button', { timeoutMs: 20_000 })
    const tourUser = { glasses, phone, packageName, wordMs: 0 }
    await performStep('session', tourUser)
    await app.waitForLine(/^tour: session ok: /)
    proxy.break()
    await app.waitForLine(/^tour: disconnected/)
    // Once it answers, the cloud has seen the end of the connection as well. What it sends before is lost.
    await fetch(`${cloud.localUrl}/healthz`)
    // Events during the interruption are delivered after the reconnect.
    await performStep('web view links', tourUser)
    await app.waitForLine(/^tour: reconnected/)
    await app.waitForLine(/^tour: web view links ok: /)
    // The display event is sent over the new connection.
    glasses.pressButton('next')
    await glasses.waitForDisplay('Open the app on the phone')
    await app.end()
    assert.equal(app.lines.filter((line) => line.startsWith('tour: ready, ')).length, 1)
    assert.deepEqual(
      warningsOf(app).filter(
        (line) =>
          !versionQuestion.test(line) && !/Abnormal closure detected, attempting reconnection/.test(line),
      ),
      [],
    )
  })
})

/** The lines on the error output of an app, and its warnings and errors. */
function warningsOf({ lines, errors }: SdkApp): string[] {
  const errorLines = errors.filter((line) => !/^\s+at /.test(line))
  return [...errorLines, ...lines.filter((line) => /^\[[^\]]+\] (WARN|ERROR|FATAL)\b/.test(line))]
}

/** Connects glasses and a phone that answers by REST. */
async function connectUser(t: Scope, cloud: TestCloud, email: string) {
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
  return { glasses, token, phone: new PhoneApi({ url: cloud.url, token }) }
}
