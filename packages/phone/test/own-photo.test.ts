import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, type TestContext, test } from 'node:test'
import { type CameraBehavior, Glasses, type PhotoOutcome } from '../src/index.ts'
import { type ClientConnection, FakeCloud } from './support/fake-cloud.ts'

interface Received {
  readonly path: string
  readonly authorization: string | undefined
  readonly body: Response
}

/** Connects glasses with a camera to a cloud that answers button presses with `press` and uploads with `uploadStatus`. */
async function connectCamera(
  t: TestContext,
  { press = {}, uploadStatus = 200, model = 'Mentra Live' }: Partial<Record<string, unknown>> = {},
): Promise<{ glasses: Glasses; connection: ClientConnection; received: Received[] }> {
  const received: Received[] = []
  const cloud = await FakeCloud.start(t, {
    onRequest: async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      const headers = { 'content-type': String(request.headers['content-type']) }
      const path = String(request.url)
      const body = new Response(Buffer.concat(chunks), { headers })
      received.push({ path, authorization: request.headers.authorization, body })
      if (path.endsWith('/upload')) response.writeHead(Number(uploadStatus)).end('{"error":"Full"}')
      else response.end(JSON.stringify(press))
    },
  })
  const glasses = new Glasses({ url: cloud.url, token: 'core-token', model: String(model) })
  t.after(() => glasses.disconnect())
  await glasses.connect()
  return { glasses, connection: await cloud.connection(0), received }
}

async function nextPhoto(glasses: Glasses): Promise<PhotoOutcome> {
  return (await once(glasses, 'photo', { signal: AbortSignal.timeout(20_000) }))[0]
}

describe("Photos of the user's own", () => {
  test('SIM-99: the camera button takes a photo for the gallery if no app handles it', async (t) => {
    const press = { success: true, action: 'take_photo', requestId: 'button_1' }
    const { glasses, connection, received } = await connectCamera(t, { press })
    const photo = nextPhoto(glasses)
    glasses.pressButton()
    assert.equal((await photo).ok, true)
    const [pressed, upload] = received
    assert.equal(pressed?.path, '/api/hardware/button-press')
    assert.deepEqual(await pressed?.body.json(), { buttonId: 'camera', pressType: 'short' })
    assert.equal(upload?.path, '/api/photos/upload')
    assert.equal(upload?.authorization, 'Bearer core-token')
    const form = await upload?.body.formData()
    assert.equal(form?.get('requestId'), 'button_1')
    const file = form?.get('photo')
    assert.ok(file instanceof File)
    const taken = await connection.frame('photo_taken')
    assert.equal(taken.mimeType, 'image/jpeg')
    assert.deepEqual(Buffer.from(String(taken.photoData), 'base64'), Buffer.from(await file.arrayBuffer()))
    assert.deepEqual(connection.frames('button_press'), [])
  })

  test('SIM-99: an app that handles the button receives it, and no photo is taken', async (t) => {
    const { glasses, connection, received } = await connectCamera(t, { press: { success: true } })
    glasses.pressButton()
    glasses.pressButton('camera', 'long')
    glasses.pressButton('left')
    await connection.frame('button_press', ({ buttonId }) => buttonId === 'left')
    while (received.length === 0) await new Promise(setImmediate)
    // Only what follows the response would be a photo.
    const photo = nextPhoto(glasses)
    await glasses.takePhoto()
    const { requestId } = await photo
    assert.deepEqual(
      received.map(({ path }) => path),
      ['/api/hardware/button-press', '/api/photos/upload'],
    )
    assert.equal((await received[1]?.body.formData())?.get('requestId'), requestId)
    assert.deepEqual(
      connection.frames('button_press').map(({ buttonId, pressType }) => [buttonId, pressType]),
      [
        ['camera', 'long'],
        ['left', 'short'],
      ],
    )
  })

  test('SIM-100: a photo that cannot be taken or stored is reported with the reason', async (t) => {
    const { glasses, connection, received } = await connectCamera(t, { uploadStatus: 413 })
    const full = await glasses.takePhoto()
    assert.ok(full?.ok === false)
    assert.deepEqual([full.errorCode, full.errorMessage], ['UPLOAD_FAILED', 'Full'])
    const busy: CameraBehavior = { kind: 'fail', errorCode: 'CAMERA_BUSY', errorMessage: 'busy' }
    glasses.camera = busy
    const failed = await glasses.takePhoto()
    assert.ok(failed?.ok === false && failed.errorCode === 'CAMERA_BUSY')
    glasses.camera = { kind: 'ignore' }
    assert.equal(await glasses.takePhoto(), undefined)
    assert.equal(received.length, 1)
    assert.deepEqual(connection.frames('photo_taken'), [])
  })

  test('SIM-100: glasses without a camera take none, and their button is sent on the socket', async (t) => {
    const { glasses, connection, received } = await connectCamera(t, { model: 'Even Realities G1' })
    await assert.rejects(glasses.takePhoto(), /Even Realities G1 has no camera/)
    glasses.pressButton()
    await connection.frame('button_press')
    assert.deepEqual(received, [])
  })

  test('SIM-100: a press that the cloud rejects is an error event', async (t) => {
    const cloud = await FakeCloud.start(t, {
      onRequest: (_, response) => response.writeHead(503).end('{"error":"No active session"}'),
    })
    const glasses = new Glasses({ url: cloud.url, token: 't', model: 'Mentra Live' })
    t.after(() => glasses.disconnect())
    await glasses.connect()
    const failed = once(glasses, 'error', { signal: AbortSignal.timeout(20_000) })
    glasses.pressButton()
    assert.match((await failed)[0].message, /No active session/)
  })
})
