import assert from 'node:assert/strict'
import type { PermissionType } from '@glasses-cloud/contract'
import { bearer, type Frame, SocketClient } from '../../src/sockets/testing/socket-client.ts'
import { startAppServer } from './app-server.ts'
import type { Scope } from './scope.ts'
import type { TestCloud, TestResponse } from './test-cloud.ts'

/** A JSON object. */
export type Fields = Readonly<Record<string, unknown>>

/** A valid position. */
export const position = { lat: 48.137154, lng: 11.576124 }
/** A valid notification. */
export const notification = {
  notificationId: 'com.mail-1',
  app: 'Mail',
  title: 'Ada',
  content: 'Tea at five?',
}
/** The dismissal of `notification`. */
export const dismissal = { notificationId: 'com.mail-1', notificationKey: '1', packageName: 'com.mail' }
/** This time tomorrow, ISO 8601. */
export const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
/** A valid calendar report. */
export const calendar = { events: [{ id: 'e1', title: 'Tea', startDate: tomorrow }], calendars: [] }

/** Every report endpoint of the phone, with a valid body. */
export const reports: readonly (readonly [path: string, body: object])[] = [
  ['/api/client/device/state', { batteryLevel: 50 }],
  ['/api/client/location', position],
  ['/api/client/location/poll-response/q1', position],
  ['/api/client/calendar', calendar],
  ['/api/client/notifications', notification],
  ['/api/client/notifications/dismissed', dismissal],
]

let counter = 0

/** Connects glasses, and starts an app whose socket the test controls. `path` is added to the URL of the glasses socket. */
export async function startWithApp(
  t: Scope,
  cloud: TestCloud,
  types: readonly PermissionType[] = ['ALL'],
  path = '',
) {
  counter += 1
  const number = counter
  const packageName = `dev.my-app.number-${number}`
  const server = await startAppServer(t, packageName)
  server.behavior = 'never-connect'
  const permissions = types.map((type) => ({ type }))
  const { apiKey } = await cloud.registerApp({ packageName, publicUrl: server.url, permissions })
  const email = `Ann-Marie-${number}@ex-ample.com`
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
  const post = (path: string, body: unknown): Promise<TestResponse<Fields>> =>
    cloud.request('POST', path, { token, body })
  /** Sends the app's subscriptions; resolves when the cloud has applied them. */
  const subscribe = async (...subscriptions: string[]) => {
    app.send({ type: 'subscription_update', subscriptions })
    await flushAppMessages(app)
  }
  return { email, token, packageName, glasses, app, sessionId, post, subscribe }
}

/** Waits until the cloud has processed all messages sent on an app socket so far: it answers in order. */
export async function flushAppMessages(socket: SocketClient): Promise<void> {
  socket.send({ type: 'no_such_type_of_an_app' })
  await socket.next('tpa_connection_error')
}

/** The `data_stream` frames that an app has received, as `[streamType, data]`; asserts their other fields. */
export function frames(app: SocketClient, sessionId: string): unknown[] {
  return app.of('data_stream').map(({ streamType, data, ...envelope }: Frame) => {
    assert.equal(envelope.sessionId, sessionId)
    assert.match(String(envelope.timestamp), /^\d{4}-\d{2}-\d{2}T.*Z$/)
    return [streamType, data]
  })
}

/** Asserts a 200 with a current timestamp and returns the other fields of the body. */
export function acceptedBody({ status, body }: TestResponse<Fields>): Fields {
  const { timestamp, ...rest } = body
  assert.equal(status, 200, JSON.stringify(body))
  assert.ok(Math.abs(Date.parse(String(timestamp)) - Date.now()) < 60_000)
  return rest
}
