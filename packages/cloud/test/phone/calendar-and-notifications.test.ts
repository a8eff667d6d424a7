import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import {
  acceptedBody,
  calendar,
  dismissal,
  type Fields,
  flushAppMessages,
  frames,
  notification,
  position,
  reports,
  startWithApp,
  tomorrow,
} from '../support/phone-report-rig.ts'
import { suiteScope } from '../support/scope.ts'
import { startCloud, type TestCloud } from '../support/test-cloud.ts'

describe('calendar, notification and time reports', () => {
  const scope = suiteScope()
  let starting: Promise<TestCloud> | undefined
  /** The cloud shared by the tests of this suite. */
  const sharedCloud = () => {
    starting ??= startCloud(scope)
    return starting
  }
  test('LOC-13 NOTI-2: an app without the permissions receives no reports', async (t) => {
    const { glasses, app, sessionId, post, subscribe } = await startWithApp(t, await sharedCloud(), [
      'MICROPHONE',
    ])
    await subscribe('location_update', 'location_stream', 'calendar_event', 'phone_notification')
    const [permissionError = assert.fail()] = app.of('permission_error')
    assert.deepEqual(
      (permissionError.details as Fields[]).map(({ requiredPermission }) => requiredPermission),
      ['LOCATION', 'LOCATION', 'CALENDAR', 'READ_NOTIFICATIONS'],
    )
    for (const [path, body] of reports) assert.equal((await post(path, body)).status, 200)
    app.send({ type: 'location_poll_request', correlationId: 'q1' })
    await flushAppMessages(app)
    assert.deepEqual(frames(app, sessionId), [])
    assert.deepEqual([app.of('permission_error').length, glasses.of('request_single_location')], [2, []])
  })

  test('CALE-1 CALE-3 CALE-6: a calendar event is sent once to each subscribed app', async (t) => {
    const { app, sessionId, post, subscribe } = await startWithApp(t, await sharedCloud(), ['CALENDAR'])
    assert.deepEqual(acceptedBody(await post('/api/client/calendar', calendar)), { success: true })
    await subscribe('calendar_event')
    await post('/api/client/calendar', calendar)
    await flushAppMessages(app)
    const [frame, ...more] = frames(app, sessionId) as [string, Fields][]
    const [stream, { timeStamp, ...event }] = frame ?? assert.fail()
    assert.deepEqual([stream, more], ['calendar_event', []])
    assert.match(String(timeStamp), /Z$/)
    assert.deepEqual(event, {
      type: 'calendar_event',
      eventId: 'e1',
      title: 'Tea',
      dtStart: tomorrow,
      dtEnd: tomorrow,
      timezone: 'UTC',
    })
  })

  test('CALE-2 CALE-13 CALE-14: events in local time, of which not everything can be read', async (t) => {
    const { app, sessionId, post, subscribe } = await startWithApp(t, await sharedCloud(), ['CALENDAR'])
    await subscribe('calendar_event')
    const timeZone = 'America/Los_Angeles'
    const events = [
      { id: 1, title: null, start: '2126-10-05T09:00:00', end: 'later', timeZone },
      { id: 2, start: { date: '2126-10-05' }, end: { date: '2126-10-06' }, timeZone },
      { id: 3, start: 'soon' },
      7,
    ]
    const { ignored } = acceptedBody(await post('/api/client/calendar', { events }))
    assert.deepEqual(ignored, ['events[0].end', 'events[2].start', 'events[3]'])
    await flushAppMessages(app)
    assert.deepEqual(
      frames(app, sessionId).map((frame) => {
        const [, { eventId, title, dtStart, dtEnd, timezone }] = frame as [string, Fields]
        return [eventId, title, dtStart, dtEnd, timezone]
      }),
      [
        ['2', '', '2126-10-05T07:00:00.000Z', '2126-10-06T07:00:00.000Z', timeZone],
        ['1', '', '2126-10-05T16:00:00.000Z', '2126-10-05T16:00:00.000Z', timeZone],
      ],
    )
  })

  test('NOTI-1 NOTI-2 NOTI-3: notifications and dismissals are sent to apps with the permission', async (t) => {
    const { app, sessionId, post, subscribe } = await startWithApp(t, await sharedCloud(), ['NOTIFICATIONS'])
    await subscribe('phone_notification', 'phone_notification_dismissed')
    const timestamp = Date.now() - 3_000
    const sent = { ...notification, priority: 'high', timestamp, packageName: 'com.mail' }
    assert.deepEqual(acceptedBody(await post('/api/client/notifications', sent)), {
      success: true,
      message: 'Notification received',
    })
    assert.deepEqual(acceptedBody(await post('/api/client/notifications/dismissed', dismissal)), {
      success: true,
      message: 'Notification dismissal received',
    })
    await flushAppMessages(app)
    const [first, second] = frames(app, sessionId) as [string, Fields][]
    assert.deepEqual(first, ['phone_notification', { type: 'phone_notification', ...sent }])
    const [stream, { timestamp: dismissedAt, ...data }] = second ?? assert.fail()
    assert.equal(typeof dismissedAt, 'number')
    assert.deepEqual(
      [stream, data],
      [
        'phone_notification_dismissed',
        {
          type: 'phone_notification_dismissed',
          ...dismissal,
          app: 'Mail',
          title: 'Ada',
          content: 'Tea at five?',
        },
      ],
    )
  })

  test('NOTI-1 NOTI-4 PHN-65: a notification of which little is known is sent, by REST and by socket', async (t) => {
    const { app, glasses, sessionId, post, subscribe } = await startWithApp(t, await sharedCloud(), [
      'READ_NOTIFICATIONS',
    ])
    await subscribe('phone_notification', 'phone_notification_dismissed')
    const timestamp = Date.now() - 3_000
    const bare = { notificationId: 7, app: null, title: null, content: null, packageName: 'com.mail' }
    const frame = {
      ...{ type: 'phone_notification', notificationId: '7', app: 'com.mail', title: '', content: '' },
      packageName: 'com.mail',
    }
    const forms: [report: Fields, expected: Fields][] = [
      [
        { ...bare, priority: 2, timestamp: String(timestamp) },
        { ...frame, priority: 'high', timestamp },
      ],
      [
        { ...bare, priority: 'LOW', timestamp, extra: {} },
        { ...frame, priority: 'low', timestamp },
      ],
      [
        { ...bare, title: 'x'.repeat(2_000), priority: {}, timestamp },
        { ...frame, title: 'x'.repeat(1_000), priority: 'normal', timestamp },
      ],
    ]
    for (const [report] of forms) {
      const { ignored } = acceptedBody(await post('/api/client/notifications', report))
      assert.deepEqual(ignored, typeof report.priority === 'object' ? ['priority'] : undefined)
      glasses.send({ type: 'phone_notification', ...report })
      await app.next('data_stream')
      await app.next('data_stream')
    }
    const dismissed = { notificationId: 7, notificationKey: null }
    acceptedBody(await post('/api/client/notifications/dismissed', dismissed))
    glasses.send({ type: 'phone_notification_dismissed', ...dismissed })
    await app.next('data_stream')
    await app.next('data_stream')
    const received = frames(app, sessionId) as [string, Fields][]
    assert.deepEqual(
      received.slice(0, 6).map(([, data]) => data),
      forms.flatMap(([, expected]) => [expected, expected]),
    )
    assert.deepEqual(
      received.slice(6).map(([, { notificationId, title }]) => [notificationId, title]),
      [
        ['7', 'x'.repeat(1_000)],
        ['7', ''],
      ],
    )
    assert.deepEqual(glasses.of('connection_error'), [])
  })

  test('CALE-10 CALE-11: the date and time of the phone are sent to every app', async (t) => {
    const cloud = await sharedCloud()
    const { email, token, app } = await startWithApp(t, cloud, [])
    const datetime = '2026-01-31T12:00:00+02:00'
    const post = (body: unknown) => cloud.request<Fields>('POST', '/api/user-data/set-datetime', { body })
    const response = await post({ coreToken: token, datetime })
    assert.deepEqual(
      [response.status, response.body],
      [200, { success: true, userId: email.toLowerCase(), datetime }],
    )
    const { timestamp: _, ...message } = await app.next('custom_message')
    assert.deepEqual(message, {
      type: 'custom_message',
      action: 'update_datetime',
      payload: { datetime, section: 'topLeft' },
    })
    const offlineToken = await cloud.token('offline@example.com')
    const glassesOnly = await cloud.token(email, { scope: 'glasses' })
    for (const [body, status] of [
      [{ coreToken: token }, 400],
      [{ datetime }, 400],
      [{ coreToken: token, datetime: 'soon' }, 400],
      [{ coreToken: token, datetime: '2026-99-99T12:00:00Z' }, 400],
      [{ coreToken: 'x.y.z', datetime }, 401],
      [{ coreToken: glassesOnly, datetime }, 401],
      [{ coreToken: offlineToken, datetime }, 404],
    ] as const) {
      const error = await post(body)
      assert.deepEqual([error.status, Object.keys(error.body)], [status, ['error']], JSON.stringify(body))
    }
    await flushAppMessages(app)
    assert.equal(app.of('custom_message').length, 1)
  })
})

test('LOC-6 NOTI-6: report contents are neither logged nor stored', async (t) => {
  const cloud = await startCloud(t, { env: { LOG_LEVEL: 'trace' } })
  const { app, glasses, post, subscribe } = await startWithApp(t, cloud)
  await subscribe('location_update', 'calendar_event', 'phone_notification', 'phone_notification_dismissed')
  const secret = { notificationId: 'hush-1', app: 'hush-2', title: 'hush-3', content: 'hush-4' }
  await post('/api/client/notifications', secret)
  await post('/api/client/notifications', { ...secret, title: 9, packageName: 'hush-5' })
  await post('/api/client/notifications/dismissed', { ...dismissal, notificationId: 'hush-1' })
  await post('/api/client/calendar', {
    events: [{ id: 'hush-6', title: 'hush-7', start: tomorrow }, { title: 'hush-8' }],
  })
  await post('/api/client/location', position)
  glasses.send({ type: 'phone_notification', ...secret, content: 5 })
  glasses.send({ type: 'calendar_event', title: 'hush-9' })
  await glasses.next('connection_error')
  await flushAppMessages(app)
  assert.match(JSON.stringify(app.frames), /hush-4.*hush-7/s, 'the app received the reports')
  await cloud.stop()
  const files = await readdir(String(cloud.env.DATA_DIR), { recursive: true, withFileTypes: true })
  const written = await Promise.all(
    files.filter((file) => file.isFile()).map((file) => readFile(join(file.parentPath, file.name), 'latin1')),
  )
  assert.ok(
    written.some((content) => content.includes('dev.my-app')),
    'the database file was read',
  )
  const kept = JSON.stringify(cloud.logged) + written.join('\n')
  assert.doesNotMatch(kept, /hush-|48\.137154|11\.576124/)
})
