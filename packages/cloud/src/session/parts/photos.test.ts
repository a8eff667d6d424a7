import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AppToCloud } from '@glasses-cloud/contract'
import type { AppDefinition } from '../ports.ts'
import type { RecordingPeer } from '../testing/recording-peer.ts'
import { createAppDefinition, SessionRig } from '../testing/session-rig.ts'
import { Photos } from './photos.ts'

const A = 'dev.example.a'
const B = 'dev.example.b'
const WAIT = 28_000

const withCamera = (packageName: string): AppDefinition =>
  createAppDefinition(packageName, { permissions: [{ type: 'CAMERA' }] })

/** A session with glasses of a model and two running apps with the permission CAMERA. */
function setUp(modelName: string | null = 'Mentra Live') {
  const rig = new SessionRig([withCamera(A), withCamera(B)])
  const glasses = rig.connectGlasses()
  if (modelName !== null)
    rig.session.handleGlassesMessage(glasses, {
      type: 'glasses_connection_state',
      modelName,
      status: 'CONNECTED',
    })
  return { rig, glasses, a: rig.runApp(A), b: rig.runApp(B) }
}

function request(
  rig: SessionRig,
  app: RecordingPeer,
  requestId: string,
  more: Partial<Extract<AppToCloud, { type: 'photo_request' }>> = {},
): void {
  rig.session.handleAppMessage(app.name, app, { type: 'photo_request', requestId, ...more })
}

/** The package name, request id, hop and code of each photo error that was sent. */
const sentErrors = ({ photoErrors }: SessionRig) =>
  photoErrors.map(({ packageName, error }) => [packageName, error.requestId, error.hop, error.errorCode])

test('PHO-40: a request in progress is sent again to a phone that reconnected, and answered once', () => {
  const { rig, glasses, a } = setUp()
  request(rig, a, 'r1', { saveToGallery: true })
  request(rig, a, 'done')
  rig.session.part(Photos).claim('done')
  rig.clock.advance(5_000)
  const next = rig.connectGlasses()
  assert.deepEqual(next.messagesOfType('photo_request'), [glasses.messagesOfType('photo_request')[0]])
  assert.equal(rig.session.part(Photos).claim('r1').kind, 'requested')
  assert.equal(rig.session.part(Photos).claim('r1').kind, 'completed')
  rig.clock.advance(WAIT)
  assert.deepEqual([sentErrors(rig), rig.connectGlasses().messagesOfType('photo_request')], [[], []])
})

test('PHO-1: the request that glasses receive', () => {
  const { rig, glasses, a } = setUp()
  request(rig, a, 'r1', { packageName: B, saveToGallery: true, authToken: 'of the app' })
  request(rig, a, 'r2', { size: 'large', compress: 'heavy' })
  const [first, second] = glasses.messagesOfType('photo_request')
  assert.deepEqual(first, {
    type: 'photo_request',
    sessionId: 'us1',
    requestId: 'r1',
    appId: A,
    packageName: A,
    webhookUrl: 'http://cloud.test/upload',
    authToken: `${A} r1`,
    saveToGallery: true,
    size: 'medium',
    compress: 'none',
    timestamp: first?.timestamp,
  })
  assert.deepEqual([second?.size, second?.compress, second?.saveToGallery], ['large', 'heavy', false])
  const captureOptions = { flash: false, sound: false, exposureTimeNs: 8_000_000, mode: 'text' }
  request(rig, a, 'r3', captureOptions)
  const third = glasses.lastOfType('photo_request')
  assert.deepEqual({ ...third, ...captureOptions }, third)
  assert.deepEqual(sentErrors(rig), [])
})

test('PHO-2: a request without the permission CAMERA fails immediately', () => {
  const rig = new SessionRig([
    createAppDefinition(A),
    createAppDefinition(B, { permissions: [{ type: 'ALL' }] }),
  ])
  const glasses = rig.connectGlasses()
  request(rig, rig.runApp(A), 'r1')
  request(rig, rig.runApp(B), 'r2')
  assert.deepEqual(sentErrors(rig), [[A, 'r1', 'permission', 'PERMISSION_DENIED']])
  assert.deepEqual(
    glasses.messagesOfType('photo_request').map(({ requestId }) => requestId),
    ['r2'],
  )
  const [rejected] = rig.photoErrors
  assert.deepEqual(
    [rejected?.error.type, rejected?.error.success, rejected?.error.errorMessage],
    ['photo_error', false, 'The app does not declare the permission CAMERA'],
  )
})

test('PHO-3: a request without a phone, glasses or a camera fails immediately', () => {
  const { rig, glasses, a } = setUp()
  rig.session.handleGlassesMessage(glasses, { type: 'glasses_connection_state', status: 'DISCONNECTED' })
  request(rig, a, 'r1')
  rig.session.handleGlassesMessage(glasses, {
    type: 'glasses_connection_state',
    modelName: 'Even Realities G1',
    status: 'CONNECTED',
  })
  request(rig, a, 'r2')
  glasses.close(1006, 'gone')
  request(rig, a, 'r3')
  assert.deepEqual(sentErrors(rig), [
    [A, 'r1', 'glasses', 'PHONE_GLASSES_NOT_CONNECTED'],
    [A, 'r2', 'camera', 'CAMERA_INIT_FAILED'],
    [A, 'r3', 'glasses', 'PHONE_GLASSES_NOT_CONNECTED'],
  ])
  assert.deepEqual(glasses.messagesOfType('photo_request'), [])
})

test('PHO-3: glasses of an unknown or unreported model receive the request', () => {
  for (const model of ['A model of tomorrow', null]) {
    const { rig, glasses, a } = setUp(model)
    request(rig, a, 'r1')
    assert.equal(glasses.messagesOfType('photo_request').length, 1)
    assert.deepEqual(sentErrors(rig), [])
  }
})

test('PHO-4: an app has at most ten pending requests; a further one fails until one completes', () => {
  const { rig, glasses, a, b } = setUp()
  for (let n = 0; n < 11; n += 1) request(rig, a, `r${n}`)
  assert.deepEqual(sentErrors(rig), [[A, 'r10', 'camera', 'CAMERA_BUSY']])
  request(rig, b, 'r10')
  rig.session.part(Photos).claim('r3')
  request(rig, a, 'r11')
  assert.equal(glasses.messagesOfType('photo_request').length, 12)
})

test('PHO-5: a failure reported by the glasses is sent to the app immediately and once, in either form', () => {
  const { rig, glasses, a, b } = setUp()
  request(rig, a, 'r1')
  request(rig, a, 'r2')
  request(rig, b, 'r3')
  const failed = { type: 'photo_response', success: false } as const
  rig.session.handleGlassesMessage(glasses, {
    ...failed,
    requestId: 'r1',
    error: { code: 'CAMERA_BUSY', message: 'busy' },
  })
  rig.session.handleGlassesMessage(glasses, {
    ...failed,
    requestId: 'r2',
    errorCode: 'BATTERY_LOW',
    errorMessage: 'low',
  })
  rig.session.part(Photos).respond({ requestId: 'r3', success: false })
  for (const requestId of ['r1', 'r3', 'unknown'])
    rig.session.handleGlassesMessage(glasses, { ...failed, requestId })
  assert.deepEqual(
    rig.photoErrors.map(({ packageName, error }) => [packageName, error.errorCode, error.errorMessage]),
    [
      [A, 'CAMERA_BUSY', 'busy'],
      [A, 'BATTERY_LOW', 'low'],
      [B, 'UNKNOWN_ERROR', 'The glasses reported a failure without a reason'],
    ],
  )
  assert.deepEqual(rig.photoErrors[0]?.error.hop, 'glasses')
  rig.clock.advance(WAIT)
  assert.equal(rig.photoErrors.length, 3)
})

test('PHO-6: a request without a photo fails after 28 seconds, before the SDK gives up', () => {
  const { rig, a } = setUp()
  request(rig, a, 'r1')
  rig.clock.advance(WAIT - 1)
  assert.deepEqual(sentErrors(rig), [])
  rig.clock.advance(1)
  assert.deepEqual(sentErrors(rig), [[A, 'r1', 'deadline', 'PHONE_TIMEOUT']])
  assert.equal(rig.session.part(Photos).claim('r1').kind, 'completed')
})

test('PHO-7: a request is completed once; an unknown one is unrequested', () => {
  const { rig, a } = setUp()
  request(rig, a, 'r1', { saveToGallery: true, authToken: 'secret' })
  const response = { type: 'photo_response', requestId: 'r1', success: true } as const
  rig.session.part(Photos).respond(response)
  assert.deepEqual(rig.session.part(Photos).claim('r1', A), {
    kind: 'requested',
    packageName: A,
    requestId: 'r1',
    saveToGallery: true,
    route: 'upload',
    authToken: 'secret',
  })
  assert.equal(rig.session.part(Photos).claim('r1', A).kind, 'completed')
  assert.equal(rig.session.part(Photos).claim('r1').kind, 'completed')
  assert.equal(rig.session.part(Photos).claim('r2').kind, 'unrequested')
  assert.equal(
    rig.session.part(Photos).claim('r2', A).kind,
    'completed',
    'its token proves that an app requested it',
  )
  rig.clock.advance(WAIT)
  assert.deepEqual(sentErrors(rig), [])
})

test('PHO-7: a rejected upload is reported to the app immediately', () => {
  const { rig, a } = setUp()
  request(rig, a, 'r1')
  rig.session.part(Photos).reject('r1', B, 'not of this app')
  assert.deepEqual(sentErrors(rig), [])
  rig.session.part(Photos).reject('r1', A, 'too large')
  assert.deepEqual(sentErrors(rig), [[A, 'r1', 'upload', 'UPLOAD_FAILED']])
  assert.equal(rig.photoErrors[0]?.error.errorMessage, 'too large')
})

test('PHO-8: a repeated requestId is the same request; two apps can use the same one', () => {
  const { rig, glasses, a, b } = setUp()
  request(rig, a, 'r1')
  request(rig, a, 'r1', { size: 'full' })
  request(rig, b, 'r1')
  assert.deepEqual(
    glasses.messagesOfType('photo_request').map(({ appId, size }) => [appId, size]),
    [
      [A, 'medium'],
      [B, 'medium'],
    ],
  )
  const packageOf = (claim: ReturnType<Photos['claim']>) =>
    claim.kind === 'requested' ? claim.packageName : claim.kind
  assert.equal(packageOf(rig.session.part(Photos).claim('r1', B)), B)
  assert.equal(packageOf(rig.session.part(Photos).claim('r1')), A)
  assert.equal(packageOf(rig.session.part(Photos).claim('r1')), 'completed')
})

test('PHO-9: a custom webhook URL', () => {
  const { rig, glasses, a } = setUp()
  const customWebhookUrl = 'https://app.test/photos?x=1'
  request(rig, a, 'r1', { customWebhookUrl, authToken: 'of the app' })
  request(rig, a, 'r2', { customWebhookUrl })
  request(rig, a, 'r3', { customWebhookUrl })
  const [first, second] = glasses.messagesOfType('photo_request')
  assert.deepEqual([first?.webhookUrl, first?.authToken], [customWebhookUrl, 'of the app'])
  assert.ok(second && !('authToken' in second))
  assert.equal(
    rig.session.part(Photos).claim('r1').kind,
    'completed',
    'this photo is not uploaded to the cloud',
  )
  rig.session.handleGlassesMessage(glasses, {
    type: 'photo_response',
    requestId: 'r2',
    success: false,
    errorCode: 'UPLOAD_FAILED',
  })
  rig.session.handleGlassesMessage(glasses, { type: 'photo_response', requestId: 'r3', success: true })
  rig.session.handleGlassesMessage(glasses, { type: 'photo_response', requestId: 'r3', success: false })
  rig.clock.advance(WAIT)
  assert.deepEqual(sentErrors(rig), [[A, 'r2', 'glasses', 'UPLOAD_FAILED']])
  for (const [at, wrong] of ['nowhere', 'ftp://app.test/', 'javascript:alert(1)'].entries())
    request(rig, a, `w${at}`, { customWebhookUrl: wrong })
  assert.deepEqual(
    sentErrors(rig)
      .slice(1)
      .map(([, , hop]) => hop),
    ['request', 'request', 'request'],
  )
})

test('PHO-10: a stopped app and an ended session', () => {
  const { rig, a, b } = setUp()
  request(rig, a, 'r1')
  request(rig, b, 'r2')
  rig.stopApp(A)
  assert.equal(rig.session.part(Photos).claim('r1', A).kind, 'completed')
  rig.session.end()
  rig.clock.advance(WAIT)
  assert.deepEqual(sentErrors(rig), [])
  assert.equal(rig.clock.pendingTimers, 0)
})

test('PHO-10: an app that lost its socket', () => {
  const { rig, a } = setUp()
  request(rig, a, 'r1')
  a.close(1006, 'broken')
  rig.connectApp(A)
  assert.equal(rig.session.part(Photos).claim('r1', A).kind, 'requested')
})
