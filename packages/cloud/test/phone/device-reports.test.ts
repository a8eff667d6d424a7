import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  acceptedBody,
  dismissal,
  type Fields,
  flushAppMessages,
  frames,
  notification,
  position,
  reports,
  startWithApp,
} from '../support/phone-report-rig.ts'
import { suiteScope } from '../support/scope.ts'
import { startCloud, type TestCloud } from '../support/test-cloud.ts'

describe('device state and location reports', () => {
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
        const response = await cloud.request('POST', path, { token: invalid, body })
        assert.deepEqual([response.status, response.body], [401, { error: 'Unauthorized' }], path)
      }
      const response = await cloud.request('POST', path, { token, body })
      assert.deepEqual([response.status, response.body], [503, { error: 'NO_ACTIVE_SESSION' }], path)
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

  test('DEV-5 LOC-2 CALE-2: an invalid report returns 400 and changes nothing', async (t) => {
    const { app, sessionId, post, subscribe } = await startWithApp(t, await sharedCloud())
    await subscribe('location_update', 'calendar_event', 'phone_notification', 'phone_notification_dismissed')
    const invalid: [string, unknown][] = [
      ['/api/client/device/state', []],
      ['/api/client/location', {}],
      ['/api/client/location', { location: { lat: 91, lng: 0 } }],
      ['/api/client/location/poll-response/q1', { coords: {} }],
      ['/api/client/calendar', {}],
      ['/api/client/calendar', { events: 'all' }],
      ...[undefined, null, '', {}, 'x'.repeat(501)].flatMap((notificationId): [string, unknown][] => [
        ['/api/client/notifications', { ...notification, notificationId }],
        ['/api/client/notifications/dismissed', { ...dismissal, notificationId }],
      ]),
      ['/api/client/notifications', '{'],
    ]
    for (const [path, body] of invalid) {
      const { status, body: response } = await post(path, body)
      const what = `${path} ${JSON.stringify(body)}`
      assert.equal(status, 400, what)
      assert.deepEqual(Object.keys(response), ['error'], what)
      assert.ok(String(response.error).length > 5, what)
    }
    await flushAppMessages(app)
    assert.deepEqual(frames(app, sessionId), [])
    assert.deepEqual(app.of('device_state_update').length, 1, 'only the update after the acknowledgement')
  })

  test('DEV-5 PHN-66: values in other forms take effect, and what cannot be read is named', async (t) => {
    const { app, post } = await startWithApp(t, await sharedCloud())
    const report = {
      ...{ modelName: 'Mentra Live', connected: 'TRUE', batteryLevel: '50', charging: 1, fwVersion: 3 },
      ...{
        caseBatteryLevel: 'full',
        style: {},
        caseOpen: 'perhaps',
        color: '',
        buildNumber: 'x'.repeat(300),
      },
    }
    const { appliedState, ignored } = acceptedBody(await post('/api/client/device/state', report))
    assert.deepEqual(ignored, ['style', 'caseBatteryLevel', 'caseOpen'])
    assert.equal((appliedState as Fields).isGlassesConnected, true)
    await flushAppMessages(app)
    assert.deepEqual(app.of('device_state_update').at(-1)?.state, {
      ...{ modelName: 'Mentra Live', connected: true, batteryLevel: 50, charging: true, fwVersion: '3' },
      ...{ color: '', buildNumber: 'x'.repeat(200) },
    })
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
})
