import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { decode } from 'jpeg-js'
import { type CameraBehavior, drawPicture, Glasses, type PhotoOutcome } from '../src/index.ts'
import { type ClientConnection, FakeCloud } from './support/fake-cloud.ts'

interface Upload {
  readonly authorization: string | undefined
  readonly form: FormData
}

/** Starts an upload target with a real multipart parser. */
async function startUploadTarget(t: TestContext, status = 200): Promise<{ url: string; uploads: Upload[] }> {
  const uploads: Upload[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const type = String(request.headers['content-type'])
    const form = await new Response(Buffer.concat(chunks), { headers: { 'content-type': type } }).formData()
    uploads.push({ authorization: request.headers.authorization, form })
    response.writeHead(status).end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/photo-upload`, uploads }
}

async function connectGlasses(t: TestContext, camera?: CameraBehavior): Promise<[Glasses, ClientConnection]> {
  const cloud = await FakeCloud.start(t)
  const glasses = new Glasses({ url: cloud.url, token: 'core-token', ...(camera && { camera }) })
  t.after(() => glasses.disconnect())
  await glasses.connect()
  return [glasses, await cloud.connection(0)]
}

async function requestPhoto(
  glasses: Glasses,
  connection: ClientConnection,
  request: object,
): Promise<PhotoOutcome> {
  const completed = once(glasses, 'photo', { signal: AbortSignal.timeout(20_000) })
  connection.send({ type: 'photo_request', requestId: 'r1', appId: 'a.b', ...request })
  return (await completed)[0]
}

describe('Photos', () => {
  test('SIM-45: glasses with Wi-Fi upload directly', async (t) => {
    const target = await startUploadTarget(t)
    const [glasses, connection] = await connectGlasses(t)
    const outcome = await requestPhoto(glasses, connection, {
      webhookUrl: target.url,
      authToken: 'p4ss',
      size: 'small',
    })
    assert.equal(outcome.ok, true)
    const [upload] = target.uploads
    assert.equal(upload?.authorization, 'Bearer p4ss')
    assert.equal(upload?.form.get('requestId'), 'r1')
    assert.equal(upload?.form.get('type'), 'photo_upload')
    assert.equal(upload?.form.get('success'), 'true')
    const photo = upload?.form.get('photo')
    assert.ok(photo instanceof File)
    assert.equal(photo.type, 'image/jpeg')
    const { width, height } = decode(Buffer.from(await photo.arrayBuffer()))
    assert.deepEqual([width, height], [320, 240])
    assert.deepEqual(connection.frames('photo_response'), [])
  })

  test('SIM-45: without Wi-Fi the phone uploads, and never with its own token', async (t) => {
    const target = await startUploadTarget(t)
    const [glasses, connection] = await connectGlasses(t, { kind: 'phone' })
    await requestPhoto(glasses, connection, { webhookUrl: target.url, size: 'small' })
    const [upload] = target.uploads
    assert.equal(upload?.authorization, undefined)
    assert.equal(upload?.form.get('source'), 'ble_transfer')
    assert.equal(upload?.form.get('type'), null)
    const photo = upload?.form.get('photo')
    assert.ok(photo instanceof File)
    assert.equal(photo.name, 'r1.jpg')
  })

  test('SIM-46: failures of camera and upload are reported', async (t) => {
    const target = await startUploadTarget(t, 500)
    const [glasses, connection] = await connectGlasses(t, {
      kind: 'fail',
      errorCode: 'CAMERA_BUSY',
      errorMessage: 'busy',
    })
    await requestPhoto(glasses, connection, { webhookUrl: target.url })
    assert.deepEqual(target.uploads, [])
    const report = await connection.frame('photo_response')
    assert.equal(report.success, false)
    assert.equal(report.requestId, 'r1')
    assert.equal(report.errorCode, 'CAMERA_BUSY')
    assert.equal(report.errorMessage, 'busy')

    glasses.camera = { kind: 'direct' }
    for (const [webhookUrl, message] of [
      [target.url, 'The upload target returned status 500'],
      ['http://127.0.0.1:1/', 'The upload target is unreachable'],
      [undefined, 'The request has no upload target'],
    ]) {
      const outcome = await requestPhoto(glasses, connection, { webhookUrl, size: 'small' })
      assert.ok(!outcome.ok)
      assert.deepEqual([outcome.errorCode, outcome.errorMessage], ['UPLOAD_FAILED', message])
    }

    const before = target.uploads.length
    glasses.camera = { kind: 'phone', mayUploadTo: (url) => url !== target.url }
    const outcome = await requestPhoto(glasses, connection, { webhookUrl: target.url })
    assert.ok(!outcome.ok && /may not upload/.test(outcome.errorMessage))
    assert.equal(target.uploads.length, before)
  })

  test('SIM-46: an ignored request is not answered', async (t) => {
    const target = await startUploadTarget(t)
    const [glasses, connection] = await connectGlasses(t, { kind: 'ignore' })
    const photos: PhotoOutcome[] = []
    glasses.on('photo', (outcome) => photos.push(outcome))
    connection.send({ type: 'photo_request', requestId: 'r0', webhookUrl: target.url })
    await glasses.waitForMessage('photo_request')
    glasses.camera = { kind: 'fail', errorCode: 'X', errorMessage: 'x' }
    await requestPhoto(glasses, connection, { requestId: 'r1' })
    assert.deepEqual(
      photos.map(({ requestId }) => requestId),
      ['r1'],
    )
    assert.deepEqual(target.uploads, [])
  })

  test('pictures have the requested size and differ', () => {
    const sizes = ['small', 'medium', 'large', 'odd'].map((size) => {
      const picture = drawPicture(0, size)
      const { width, height } = decode(picture.jpeg)
      assert.deepEqual([picture.width, picture.height], [width, height])
      return width
    })
    assert.deepEqual(sizes, [320, 640, 1280, 640])
    assert.notDeepEqual(drawPicture(0, 'small').jpeg, drawPicture(1, 'small').jpeg)
    assert.ok(drawPicture(0, 'small', 'heavy').jpeg.length < drawPicture(0, 'small').jpeg.length)
  })
})
