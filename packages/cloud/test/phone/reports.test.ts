import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { PermissionType } from '@glasses-cloud/contract'
import { bearer, type Frame, SocketClient } from '../../src/sockets/testing/socket-client.ts'
import { startAppServer } from '../support/app-server.ts'
import { type Scope, suiteScope } from '../support/scope.ts'
import { startCloud, type TestAnswer, type TestCloud } from '../support/test-cloud.ts'

type Fields = Readonly<Record<string, unknown>>

const position = { lat: 48.137154, lng: 11.576124 }
const notification = { notificationId: 'com.mail-1', app: 'Mail', title: 'Ada', content: 'Tea at five?' }
const dismissal = { notificationId: 'com.mail-1', notificationKey: '1', packageName: 'com.mail' }
const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
const calendar = { events: [{ id: 'e1', title: 'Tea', startDate: tomorrow }], calendars: [] }

/** Every report endpoint of the phone, with a valid body. */
const reports: readonly (readonly [path: string, body: object])[] = [
  ['/api/client/device/state', { batteryLevel: 50 }],
  ['/api/client/location', position],
  ['/api/client/location/poll-response/q1', position],
  ['/api/client/calendar', calendar],
  ['/api/client/notifications', notification],
  ['/api/client/notifications/dismissed', dismissal],
]

let counter = 0

/** Connects glasses, and starts an app whose socket the test controls. `path` is added to the URL of the glasses socket. */
async function startWithApp(
  t: Scope,
  cloud: TestCloud,
  types: readonly PermissionType[] = ['ALL'],
  path = '',
) {
  counter += 1
  const packageName = `dev.my-app.number-${counter}`
  const server = await startAppServer(t, packageName)
  server.behaviour = 'never-connect'
  const permissions = types.map((type) => ({ type }))
  const { apiKey } = await cloud.registerApp({ packageName, publicUrl: server.url, permissions })
  const email = `Ann-Marie-${counter}@ex-ample.com`
  const token = await cloud.token(email)
  const glasses = await SocketClient.open(t, `${cloud.wsUrl}/glasses-ws${path}`, bearer(token))
  await glasses.next('connection_ack')
  glasses.send(
    path === '' ? { type: 'start_app', packageName } : { type: 'start_app', data: { packageName } },
  )
  const { sessionId } = await server.called('session_request')
  const app = await SocketClient.open(t, `${cloud.wsUrl}/app-ws`)
  app.send({ type: 'tpa_connection_init', packageName, apiKey, sessionId })
  await app.next('tpa_connection_ack')
  const post = (path: string, body: unknown): Promise<TestAnswer<Fields>> =>
    cloud.request('POST', path, { token, body })
  /** Sends the app's subscriptions; resolves when the cloud has applied them. */
  const subscribe = async (...subscriptions: string[]) => {
    app.send({ type: 'subscription_update', subscriptions })
    await flushAppMessages(app)
  }
  return { email, token, glasses, app, sessionId, post, subscribe }
}

/** Waits until the cloud has processed all messages sent on an app socket so far: it answers in order. */
async function flushAppMessages(socket: SocketClient): Promise<void> {
  socket.send({ type: 'no_such_type_of_an_app' })
  await socket.next('tpa_connection_error')
}

/** The `data_stream` frames that an app has received, as `[streamType, data]`; asserts their other fields. */
function frames(app: SocketClient, sessionId: string): unknown[] {
  return app.of('data_stream').map(({ streamType, data, ...envelope }: Frame) => {
    assert.equal(envelope.sessionId, sessionId)
    assert.match(String(envelope.timestamp), /^\d{4}-\d{2}-\d{2}T.*Z$/)
    return [streamType, data]
  })
}

/** Asserts a 200 with a current timestamp and returns the other fields of the body. */
function acceptedBody({ status, body }: TestAnswer<Fields>): Fields {
  const { timestamp, ...rest } = body
  assert.equal(status, 200, JSON.stringify(body))
  assert.ok(Math.abs(Date.parse(String(timestamp)) - Date.now()) < 60_000)
  return rest
}

describe('phone reports', () => {
  const scope = suiteScope()
  let starting: Promise<TestCloud> | undefined
  /** The cloud shared by the tests of this suite. */
  const sharedCloud = () => {
    starting ??= startCloud(scope)
    return starting
  }

  test('DEV-9 DEV-10: every report requires a core token and a live session', async () => {
    const cloud = await sharedCloud()
    const token = await cloud.token('offline@example.com')
    const glassesOnly = await cloud.token('offline@example.com', { scope: 'glasses' })
    for (const [path, body] of reports) {
      for (const invalid of [undefined, 'null', 'x.y.z', glassesOnly]) {
        const answer = await cloud.request('POST', path, { token: invalid, body })
        assert.deepEqual([answer.status, answer.body], [401, { error: 'Unauthorized' }], path)
      }
      const answer = await cloud.request('POST', path, { token, body })
      assert.deepEqual([answer.status, answer.body], [503, { error: 'NO_ACTIVE_SESSION' }], path)
    }
  })

  test('DEV-10: a session in its grace period accepts reports', async (t) => {
    const { glasses, post } = await startWithApp(t, await sharedCloud())
    glasses.ws.close()
    await glasses.closed()
    for (const [path, body] of reports) assert.equal((await post(path, body)).status, 200, path)
    const { appliedState } = acceptedBody(await post('/api/client/device/state', {}))
    assert.deepEqual(appliedState, {
      isGlassesConnected: false,
      isPhoneConnected: false,
      modelName: null,
      capabilities: null,
    })
  })

  test('DEV-5 LOC-2 CALE-2 NOTI-1: an invalid report returns 400 and changes nothing', async (t) => {
    const { app, sessionId, post, subscribe } = await startWithApp(t, await sharedCloud())
    await subscribe('location_update', 'calendar_event', 'phone_notification', 'phone_notification_dismissed')
    const invalid: [string, unknown][] = [
      ['/api/client/device/state', { connected: 'yes', batteryLevel: 3 }],
      ['/api/client/device/state', { modelName: 'x'.repeat(201) }],
      ['/api/client/device/state', { batteryLevel: '50' }],
      ['/api/client/device/state', []],
      ['/api/client/location', {}],
      ['/api/client/location', { location: { lat: 91, lng: 0 } }],
      ['/api/client/location/poll-response/q1', { coords: {} }],
      ['/api/client/calendar', {}],
      ['/api/client/calendar', { events: 'all' }],
      ['/api/client/calendar', { events: [7] }],
      ...Object.keys(notification).map((key): [string, unknown] => [
        '/api/client/notifications',
        { ...notification, [key]: undefined },
      ]),
      ['/api/client/notifications', { ...notification, title: 7 }],
      ...Object.keys(dismissal).map((key): [string, unknown] => [
        '/api/client/notifications/dismissed',
        { ...dismissal, [key]: undefined },
      ]),
      ['/api/client/notifications', '{'],
    ]
    for (const [path, body] of invalid) {
      const { status, body: answer } = await post(path, body)
      const what = `${path} ${JSON.stringify(body)}`
      assert.equal(status, 400, what)
      assert.deepEqual(Object.keys(answer), ['error'], what)
      assert.ok(String(answer.error).length > 5, what)
    }
    await flushAppMessages(app)
    assert.deepEqual(frames(app, sessionId), [])
    assert.deepEqual(app.of('device_state_update').length, 1, 'only the update after the acknowledgement')
  })

  test('DEV-1 DEV-6 DEV-7: the device state is merged, returned and sent to apps', async (t) => {
    const { app, sessionId, post, subscribe } = await startWithApp(t, await sharedCloud())
    await subscribe('glasses_connection_state', 'glasses_battery_update')
    const { appliedState, ...rest } = acceptedBody(
      await post('/api/client/device/state', {
        modelName: 'Mentra Live',
        batteryLevel: 50,
        serialNumber: 's',
      }),
    )
    assert.deepEqual(rest, { success: true })
    const { capabilities, ...applied } = appliedState as Fields
    assert.deepEqual(applied, { isGlassesConnected: true, isPhoneConnected: true, modelName: 'Mentra Live' })
    const profile = capabilities as { modelName: string; hasCamera: boolean; power: object }
    assert.deepEqual([profile.modelName, profile.hasCamera], ['Mentra Live', true])
    await flushAppMessages(app)
    const update = app.of('capabilities_update')
    assert.deepEqual(
      update.map(({ capabilities: sent, modelName }) => [sent, modelName]),
      [[capabilities, 'Mentra Live']],
    )
    assert.deepEqual(
      app.of('device_state_update').map(({ state, fullSnapshot }) => [state, fullSnapshot]),
      [
        [{}, true],
        [{ connected: true, modelName: 'Mentra Live', batteryLevel: 50 }, false],
      ],
    )
    const sent = frames(app, sessionId).map((frame) => {
      const [stream, { timestamp, ...data }] = frame as [string, Fields]
      assert.match(String(timestamp), /Z$/)
      return [stream, data]
    })
    assert.deepEqual(sent, [
      [
        'glasses_connection_state',
        { type: 'glasses_connection_state', modelName: 'Mentra Live', status: 'CONNECTED' },
      ],
      ['glasses_battery_update', { type: 'glasses_battery_update', level: 50, charging: false }],
    ])
  })

  test('LOC-1 LOC-3: a position in any form, by REST or socket, is sent to apps as the same frame', async (t) => {
    const { lat: latitude, lng: longitude } = position
    const timestamp = Date.now() - 1_000
    const frame = {
      type: 'location_update',
      ...position,
      accuracy: 4,
      timestamp: new Date(timestamp).toISOString(),
    }
    const forms = [
      { location: { ...position, accuracy: 4, timestamp } },
      { coords: { latitude, longitude, accuracy: 4, altitude: null }, timestamp },
      { latitude, longitude, accuracy: 4, timestamp },
    ]
    for (const dialect of ['flat', 'envelope']) {
      const { glasses, app, sessionId, post, subscribe } = await startWithApp(
        t,
        await sharedCloud(),
        ['LOCATION'],
        dialect === 'flat' ? '' : '?dialect=envelope',
      )
      await subscribe('location_update')
      for (const form of forms) {
        assert.deepEqual(acceptedBody(await post('/api/client/location', form)), { success: true })
        glasses.send(
          dialect === 'flat' ? { type: 'location_update', ...form } : { type: 'location_update', data: form },
        )
        await app.next('data_stream')
        await app.next('data_stream')
      }
      assert.deepEqual(frames(app, sessionId), Array(6).fill(['location_update', frame]))
      glasses.send(
        dialect === 'flat'
          ? { type: 'location_update', lat: 1 }
          : { type: 'location_update', data: { lat: 1 } },
      )
      const error = await glasses.next('connection_error')
      assert.match(JSON.stringify(error), /MALFORMED_MESSAGE/)
      glasses.send({ type: 'ping' })
      await glasses.next('pong')
    }
  })

  test('LOC-9 LOC-11 LOC-12: the phone answers a location poll of an app by REST', async (t) => {
    const { glasses, app, sessionId, post } = await startWithApp(t, await sharedCloud(), ['LOCATION'])
    assert.equal(glasses.of('set_location_tier')[0]?.tier, 'reduced')
    app.send({
      type: 'location_poll_request',
      correlationId: 'poll_1_x',
      accuracy: 'realtime',
      sessionId: 'any',
    })
    const { timestamp: _, ...request } = await glasses.next('request_single_location')
    assert.deepEqual(request, {
      type: 'request_single_location',
      accuracy: 'realtime',
      correlationId: 'poll_1_x',
    })
    const path = '/api/client/location/poll-response/poll_1_x'
    const location = { ...position, timestamp: Date.now() }
    assert.deepEqual(acceptedBody(await post(path, { location })), { success: true, resolved: true })
    await app.next('data_stream')
    assert.deepEqual(frames(app, sessionId), [
      [
        'location_update',
        {
          type: 'location_update',
          ...position,
          correlationId: 'poll_1_x',
          timestamp: new Date(location.timestamp).toISOString(),
        },
      ],
    ])
    assert.deepEqual(acceptedBody(await post(path, { location })), { success: true, resolved: false })
  })

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

  test('CALE-10 CALE-11: the date and time of the phone are sent to every app', async (t) => {
    const cloud = await sharedCloud()
    const { email, token, app } = await startWithApp(t, cloud, [])
    const datetime = '2026-01-31T12:00:00+02:00'
    const post = (body: unknown) => cloud.request<Fields>('POST', '/api/user-data/set-datetime', { body })
    const answer = await post({ coreToken: token, datetime })
    assert.deepEqual(
      [answer.status, answer.body],
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
