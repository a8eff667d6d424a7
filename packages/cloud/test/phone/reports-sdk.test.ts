import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Glasses, PhoneApi } from '@glasses-cloud/phone'
import type { Scope } from '../support/scope.ts'
import { SdkApp } from '../support/sdk-app.ts'
import { startCloud } from '../support/test-cloud.ts'

const packageName = 'dev.my-app.listener'
const position = { lat: 48.137154, lng: 11.576124 }

/** Connects glasses and a phone, and starts an app on the unmodified SDK that subscribes to all phone reports. */
async function startWithApp(t: Scope) {
  const cloud = await startCloud(t)
  const { app } = await SdkApp.register(t, cloud, new URL('../apps/phone-events.ts', import.meta.url), {
    packageName,
    appType: 'BACKGROUND',
    permissions: [{ type: 'LOCATION' }, { type: 'CALENDAR' }, { type: 'READ_NOTIFICATIONS' }],
  })
  const token = await cloud.token('Ann-Marie@ex-ample.com')
  const glasses = new Glasses({ url: cloud.url, token, model: 'Mentra Live', reconnect: false })
  t.after(() => glasses.disconnect())
  await glasses.connect()
  const phone = new PhoneApi({ url: cloud.url, token })
  await phone.install(packageName)
  return { token, app, glasses, phone }
}

/** Waits for an event that the app printed, and removes its line; lines of other events remain, in any order. */
async function waitForEvent(app: SdkApp, event: string): Promise<Record<string, unknown>> {
  const line = await app.waitForLine(new RegExp(`^received ${event} `))
  app.lines.splice(app.lines.indexOf(line), 1)
  return JSON.parse(line.slice(`received ${event} `.length))
}

describe('reports of the phone on the unmodified SDK', () => {
  test('NOTI-7 DEV-8 CALE-6: the handlers of an app receive earlier and new reports', async (t) => {
    const { token, app, glasses, phone } = await startWithApp(t)
    await phone.request('POST', '/api/user-data/set-datetime', {
      coreToken: token,
      datetime: '2026-01-31T12:00:00+02:00',
    })
    const start = new Date(Date.now() + 3_600_000).toISOString()
    await phone.request('POST', '/api/client/calendar', {
      events: [{ id: 'e1', title: 'Tea', startDate: start }],
    })
    await phone.startApp(packageName)
    const { modelName, status } = await waitForEvent(app, 'connection')
    assert.deepEqual([modelName, status], ['Mentra Live', 'CONNECTED'])
    const { eventId, title, dtStart } = await waitForEvent(app, 'calendar')
    assert.deepEqual([eventId, title, dtStart], ['e1', 'Tea', start])

    await phone.request('POST', '/api/client/device/state', { batteryLevel: 61, charging: true })
    assert.equal(await waitForEvent(app, 'level'), 61)
    const { level, charging } = await waitForEvent(app, 'battery')
    assert.deepEqual([level, charging], [61, true])
    const notification = { notificationId: 'n1', app: 'Mail', title: 'Ada', content: 'Tea?' }
    await phone.request('POST', '/api/client/notifications', notification)
    const { timestamp: _, ...received } = await waitForEvent(app, 'notification')
    assert.deepEqual(received, { type: 'phone_notification', ...notification, priority: 'normal' })
    const dismissal = { notificationId: 'n1', notificationKey: 'k', packageName: 'com.mail' }
    await phone.request('POST', '/api/client/notifications/dismissed', dismissal)
    assert.equal((await waitForEvent(app, 'dismissed')).content, 'Tea?')
    await phone.request('POST', '/api/user-data/set-datetime', {
      coreToken: token,
      datetime: '2026-01-31T12:01:00+02:00',
    })
    // The app may or may not have subscribed when the first of the two was replayed to it.
    let time = await waitForEvent(app, 'datetime')
    if (time.datetime === '2026-01-31T12:00:00+02:00') time = await waitForEvent(app, 'datetime')
    assert.deepEqual(time, { datetime: '2026-01-31T12:01:00+02:00', section: 'topLeft' })
    assert.deepEqual(glasses.messages('connection_error'), [])
    assert.deepEqual(
      app.lines.filter((line) => /received error/.test(line)),
      [],
    )
  })

  test('LOC-17: an app polls the location once and then subscribes to it', async (t) => {
    const { app, glasses, phone } = await startWithApp(t)
    await phone.startApp(packageName)
    await waitForEvent(app, 'ready')
    glasses.pressButton('poll')
    const poll = await glasses.waitForMessage('request_single_location')
    assert.equal(poll.accuracy, 'realtime')
    glasses.reportPosition(position.lat, position.lng, { correlationId: String(poll.correlationId) })
    const latest = await waitForEvent(app, 'latest')
    assert.deepEqual(
      [latest.lat, latest.lng, latest.correlationId],
      [position.lat, position.lng, poll.correlationId],
    )

    glasses.pressButton('follow')
    const replayed = await waitForEvent(app, 'location')
    assert.deepEqual([replayed.lat, 'correlationId' in replayed], [position.lat, false])
    await glasses.waitForMessage('set_location_tier', ({ tier }) => tier === 'standard')
    await phone.request('POST', '/api/client/location', { coords: { latitude: 1, longitude: 2 } })
    const next = await waitForEvent(app, 'location')
    assert.deepEqual([next.lat, next.lng], [1, 2])
  })
})
