import assert from 'node:assert/strict'
import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { describe, type TestContext, test } from 'node:test'
import type { Glasses, PhotoOutcome } from '@glasses-cloud/glasses'
import { VirtualClock } from '../../src/session/testing/virtual-clock.ts'
import { connectGlasses, type Delivery, galleryOf, image, PhotoApp, upload } from '../support/photo-app.ts'
import { type LocalCloud, startCloud } from '../support/test-cloud.ts'

const A = 'app.photos'
const MiB = 1024 * 1024

interface World {
  readonly cloud: LocalCloud
  readonly token: string
  readonly glasses: Glasses
  readonly app: PhotoApp
}

/** A cloud, a wearer with glasses that leave photo requests to the test unless told otherwise, and an app. */
async function world(t: TestContext, options: Parameters<typeof startCloud>[1] = {}): Promise<World> {
  const cloud = await startCloud(t, options)
  const token = await cloud.token('ada@example.com')
  const glasses = await connectGlasses(t, cloud, token, { camera: { kind: 'ignore' } })
  const app = await PhotoApp.run(t, cloud, token, A)
  return { cloud, token, glasses, app }
}

/** Lets the app ask, and gives what the glasses were told. */
async function asked({ app, glasses }: World, requestId: string, more: object = {}) {
  app.requestPhoto(requestId, more)
  const request = await glasses.waitForMessage('photo_request', (message) => message.requestId === requestId)
  return { webhookUrl: String(request.webhookUrl), authToken: String(request.authToken) }
}

async function outcomeOf(glasses: Glasses, ask: () => void): Promise<PhotoOutcome> {
  const answered = once(glasses, 'photo', { signal: AbortSignal.timeout(10_000) })
  ask()
  return (await answered)[0]
}

async function fileCount({ cloud }: World): Promise<number> {
  await cloud.cloud.services.photos.settled()
  let count = 0
  for await (const _ of cloud.cloud.services.blobs.list('photos/')) count += 1
  return count
}

const failureOf = ({ headers, fields }: Delivery) => {
  assert.equal(headers['content-type'], 'application/json')
  const { type, success, errorCode, hop } = fields
  assert.deepEqual([type, success], ['photo_error', false])
  return [hop, errorCode]
}

describe('photos for apps', () => {
  test('PHO-11 PHO-12: a photo goes from the glasses to the app, as the app SDK takes it, signed', async (t) => {
    const { app, glasses, ...rest } = await world(t)
    for (const kind of ['direct', 'phone'] as const) {
      glasses.camera = { kind }
      const outcome = await outcomeOf(glasses, () =>
        app.requestPhoto(kind, { authToken: 'for me', size: 'small' }),
      )
      assert.ok(outcome.ok)
      const { headers, raw, fields, photo } = await app.waitForDelivery(kind)
      assert.deepEqual(fields, { requestId: kind, type: 'photo_upload', success: 'true' })
      assert.ok(photo)
      assert.equal(photo.type, 'image/jpeg')
      assert.match(photo.name, /^[0-9a-z]+\.jpg$/)
      assert.ok(Buffer.from(await photo.arrayBuffer()).equals(outcome.picture.jpeg))
      assert.equal(headers.authorization, 'Bearer for me')
      assert.equal(headers['content-length'], String(raw.length))
      const key = createHash('sha256').update(app.apiKey).digest()
      const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.`
      const mac = createHmac('sha256', key).update(signed).update(raw).digest('base64')
      assert.equal(headers['webhook-signature'], `v1,${mac}`)
    }
    app.requestPhoto('bare')
    assert.equal((await app.waitForDelivery('bare')).headers.authorization, undefined)
    assert.equal(await fileCount({ app, glasses, ...rest }), 0)
  })

  test('PHO-13: it is kept in the gallery exactly where the app asked for that', async (t) => {
    const { app, cloud, glasses, token } = await world(t)
    glasses.camera = { kind: 'direct' }
    app.requestPhoto('kept', { saveToGallery: true, size: 'small' })
    app.requestPhoto('not kept', { size: 'small' })
    const [kept] = [await app.waitForDelivery('kept'), await app.waitForDelivery('not kept')]
    const [photo, ...others] = await galleryOf(cloud, token)
    assert.deepEqual(others, [])
    assert.deepEqual(photo?.metadata, { requestId: 'kept', origin: 'app', packageName: A })
    assert.equal(photo?.size, kept?.photo?.size)
    assert.equal(await fileCount({ app, cloud, glasses, token }), 1)
  })

  test('GAL-15: a photo for which the gallery has no room still reaches the app', async (t) => {
    const here = await world(t, { env: { GALLERY_MB: '1' } })
    const { cloud, token, app } = here
    const whole = image.jpeg(1024 * 1024)
    assert.equal(
      (
        await upload(cloud, token, [
          ['requestId', 'own'],
          ['photo', whole],
        ])
      ).status,
      200,
    )
    const { authToken } = await asked(here, 'r1', { saveToGallery: true })
    const answer = await upload(cloud, authToken, [['photo', image.jpeg()]])
    assert.deepEqual([answer.status, answer.body], [200, { success: true, photoUrl: null, requestId: 'r1' }])
    assert.ok((await app.waitForDelivery('r1')).photo)
    assert.equal(await fileCount(here), 1)
  })

  test('PHO-14: the token of a request opens the upload of that photo, once, and nothing else', async (t) => {
    const here = await world(t)
    const { cloud, token } = here
    const { webhookUrl, authToken } = await asked(here, 'r1')
    assert.equal(webhookUrl, `${cloud.url}/api/photos/upload`)
    for (const [method, path] of [
      ['GET', '/api/gallery'],
      ['GET', '/api/account/me'],
      ['GET', '/api/apps'],
      ['POST', '/api/auth/glasses-token'],
    ] as const)
      assert.equal((await cloud.request(method, path, { token: authToken })).status, 401, path)
    // Whatever the form says: the token names the request.
    const answer = await upload(cloud, authToken, [
      ['requestId', 'another'],
      ['photo', image.jpeg()],
    ])
    assert.deepEqual([answer.status, answer.body], [200, { success: true, photoUrl: null, requestId: 'r1' }])
    assert.ok((await here.app.waitForDelivery('r1')).photo)
    const again = await upload(cloud, authToken, [['photo', image.jpeg()]])
    assert.deepEqual([again.status, again.body], [404, { error: 'The photo request is over' }])
    assert.deepEqual(await galleryOf(cloud, token), [])
    assert.equal(await fileCount(here), 0)
  })

  test('PHO-14: phones that send their own token are let in, others are not', async (t) => {
    const here = await world(t)
    const { cloud, token, app } = here
    await asked(here, 'r1')
    const parts = [
      ['requestId', 'r1'],
      ['photo', image.jpeg()],
    ] as const
    const stranger = await cloud.token('eve@example.com')
    for (const other of [undefined, 'nonsense', app.apiKey]) {
      const { status, body } = await upload(cloud, other, parts)
      assert.deepEqual([status, body], [401, { error: 'Unauthorized' }])
    }
    assert.equal((await upload(cloud, stranger, parts)).status, 200)
    assert.equal((await galleryOf(cloud, stranger)).length, 1, 'it is their own photo, of no request')
    assert.equal((await upload(cloud, token, parts)).status, 200)
    assert.ok((await app.waitForDelivery('r1')).photo)
    const second = await upload(cloud, token, parts)
    assert.equal(second.status, 404, 'the same photo again is not taken for one of the wearer')
    assert.deepEqual(await galleryOf(cloud, token), [])
  })

  test('PHO-15: an app whose server does not take the photo is told, and the glasses are not', async (t) => {
    const here = await world(t)
    const { app, glasses, token, cloud } = here
    glasses.camera = { kind: 'direct' }
    app.answer = 500
    const outcome = await outcomeOf(glasses, () =>
      app.requestPhoto('r1', { saveToGallery: true, size: 'small' }),
    )
    assert.equal(outcome.ok, true)
    assert.ok((await app.waitForDelivery('r1')).photo)
    assert.deepEqual(failureOf(await app.waitForDelivery('r1')), ['forward', 'UPLOAD_FAILED'])
    assert.equal((await galleryOf(cloud, token)).length, 1)
  })

  test('PHO-16: what the glasses say of a failure reaches the app, by socket and by REST', async (t) => {
    const here = await world(t)
    const { app, glasses, cloud, token } = here
    glasses.camera = { kind: 'fail', errorCode: 'CAMERA_BUSY', errorMessage: 'recording' }
    app.requestPhoto('r1')
    const { fields, ...rest } = await app.waitForDelivery('r1')
    assert.deepEqual(fields, {
      requestId: 'r1',
      type: 'photo_error',
      success: false,
      errorCode: 'CAMERA_BUSY',
      errorMessage: 'recording',
      hop: 'glasses',
    })
    assert.match(String(rest.headers['webhook-signature']), /^v1,/)
    glasses.camera = { kind: 'ignore' }
    await asked(here, 'r2')
    const said = { type: 'photo_response', requestId: 'r2', success: false, errorCode: 'BATTERY_LOW' }
    const answer = await cloud.request<Record<string, unknown>>('POST', '/api/client/photo/response', {
      token,
      body: said,
    })
    assert.equal(answer.status, 200)
    const { timestamp, ...body } = answer.body
    assert.deepEqual(body, { success: true, message: 'Photo response received' })
    assert.ok(!Number.isNaN(Date.parse(String(timestamp))))
    assert.deepEqual(failureOf(await app.waitForDelivery('r2')), ['glasses', 'BATTERY_LOW'])
    for (const wrong of [{}, { requestId: 'r2' }, { requestId: '', success: false }, []]) {
      const { status } = await cloud.request('POST', '/api/client/photo/response', { token, body: wrong })
      assert.equal(status, 400)
    }
    const eve = await cloud.token('eve@example.com')
    const unheard = await cloud.request('POST', '/api/client/photo/response', { token: eve, body: said })
    assert.deepEqual([unheard.status, unheard.body], [503, { error: 'NO_ACTIVE_SESSION' }])
    assert.equal((await cloud.request('POST', '/api/client/photo/response', { body: said })).status, 401)
  })

  test('PHO-17: silence of the glasses ends at a deadline, of which the app is told', async (t) => {
    const clock = new VirtualClock(Date.now())
    const here = await world(t, { overrides: { clock } })
    const { authToken } = await asked(here, 'r1')
    clock.advance(28_000)
    assert.deepEqual(failureOf(await here.app.waitForDelivery('r1')), ['deadline', 'PHONE_TIMEOUT'])
    const late = await upload(here.cloud, authToken, [['photo', image.jpeg()]])
    assert.equal(late.status, 404)
    assert.equal(await fileCount(here), 0)
  })

  test('PHO-18: a refused upload reaches the app at once, and leaves nothing', async (t) => {
    const here = await world(t)
    const { cloud, app } = here
    const refusals = [
      [415, 'A photo must be a JPEG, PNG or WebP image', [['photo', Buffer.from('<svg onload="alert(1)">')]]],
      [415, 'A photo must be a JPEG, PNG or WebP image', [['photo', Buffer.alloc(0)]]],
      [413, 'A photo must have at most 10 MiB', [['photo', image.jpeg(10 * MiB + 1)]]],
      [400, 'A photo is required, in the field photo or file', [['picture', image.jpeg()]]],
      [400, 'A photo is required, in the field photo or file', [['type', 'photo_upload']]],
    ] as const
    for (const [at, [status, error, parts]] of refusals.entries()) {
      const requestId = `r${at}`
      const { authToken } = await asked(here, requestId)
      const answer = await upload(cloud, authToken, parts)
      assert.deepEqual([answer.status, answer.body], [status, { error }])
      const delivery = await app.waitForDelivery(requestId)
      assert.deepEqual(failureOf(delivery), ['upload', 'UPLOAD_FAILED'])
      assert.equal(delivery.fields.errorMessage, error)
    }
    assert.equal(await fileCount(here), 0)
  })

  test('PHO-19: the upload target is where clients reach the cloud', async (t) => {
    const { cloud } = await startCloud(t, { env: { PUBLIC_URL: 'https://cloud.example.org/glasses/' } })
    const { webhookUrl } = cloud.services.photos.target('u1', A, 'r1')
    assert.equal(webhookUrl, 'https://cloud.example.org/glasses/api/photos/upload')
  })
})

describe('photos of the wearer', () => {
  async function home(t: TestContext) {
    const cloud = await startCloud(t)
    return { cloud, token: await cloud.token('ada@example.com', { scope: 'glasses' }) }
  }

  test('PHO-20: a photo that nobody asked for goes into the gallery, with or without a session', async (t) => {
    const { cloud, token } = await home(t)
    const form = [
      ['photo', image.jpeg()],
      ['requestId', 'by button'],
    ] as const
    const { status, body } = await upload(cloud, token, form)
    assert.equal(status, 200)
    await connectGlasses(t, cloud, token)
    assert.equal((await upload(cloud, token, form)).status, 200)
    const photos = await galleryOf(cloud, token)
    assert.deepEqual(
      photos.map(({ metadata }) => metadata),
      Array(2).fill({ requestId: 'by button', origin: 'glasses' }),
    )
    assert.deepEqual(body, {
      success: true,
      photoUrl: `${cloud.url}/api/gallery/${photos[1]?._id}/file`,
      requestId: 'by button',
    })
  })

  test('PHO-21: the file may be photo or file, the id in requestId or metadata, in any order', async (t) => {
    const { cloud, token } = await home(t)
    for (const [at, parts] of [
      [
        ['file', image.png()],
        ['metadata', '{"requestId":"r0","more":1}'],
      ],
      [
        ['metadata', '{"requestId":"r1"}'],
        ['photo', image.webp()],
      ],
      [
        ['metadata', '{"requestId":"no"}'],
        ['requestId', 'r2'],
        ['photo', image.jpeg()],
      ],
      [
        ['requestId', 'r3'],
        ['metadata', 'not JSON'],
        ['extra', 'x'],
        ['photo', image.jpeg()],
      ],
    ].entries()) {
      const { status, body } = await upload(cloud, token, parts as never)
      assert.deepEqual([status, body.requestId], [200, `r${at}`])
    }
    assert.deepEqual(
      (await galleryOf(cloud, token)).map(({ mimeType }) => mimeType),
      ['image/jpeg', 'image/jpeg', 'image/webp', 'image/png'],
    )
  })

  test('PHO-22: what it is decides its content, not its name; ten MiB are the most', async (t) => {
    const { cloud, token } = await home(t)
    const whole = image.png(10 * MiB)
    assert.equal(
      (
        await upload(cloud, token, [
          ['requestId', 'r'],
          ['photo', whole],
        ])
      ).status,
      200,
    )
    const [photo] = await galleryOf(cloud, token)
    assert.deepEqual([photo?.size, photo?.mimeType], [10 * MiB, 'image/png'])
    for (const [status, bytes] of [
      [413, image.png(10 * MiB + 1)],
      [413, image.png(12 * MiB)],
      [415, Buffer.from('GIF89a and so on')],
      [415, Buffer.from([0xff, 0xd8])],
    ] as const) {
      const answer = await upload(cloud, token, [
        ['requestId', 'r'],
        ['photo', bytes],
      ])
      assert.equal(answer.status, status)
    }
    assert.equal((await galleryOf(cloud, token)).length, 1)
  })

  test('PHO-18: fields behind a refused file count', async (t) => {
    const here = await world(t)
    for (const [requestId, status, bytes] of [
      ['r1', 415, Buffer.alloc(2 * MiB)],
      ['r2', 413, image.jpeg(10 * MiB + 100_000)],
    ] as const) {
      await asked(here, requestId)
      const answer = await upload(here.cloud, here.token, [
        ['photo', bytes],
        ['requestId', requestId],
      ])
      assert.equal(answer.status, status)
      assert.deepEqual(failureOf(await here.app.waitForDelivery(requestId)), ['upload', 'UPLOAD_FAILED'])
    }
  })

  test('PHO-23: what is no proper form is refused, and nothing is kept', async (t) => {
    const { cloud, token } = await home(t)
    const jpeg = image.jpeg()
    for (const [error, parts] of [
      ['requestId is required', [['photo', jpeg]]],
      [
        'requestId is required',
        [
          ['photo', jpeg],
          ['metadata', '[]'],
        ],
      ],
      [
        'requestId is required',
        [
          ['photo', jpeg],
          ['metadata', '{"requestId":7}'],
        ],
      ],
      [
        'requestId is not valid',
        [
          ['photo', jpeg],
          ['requestId', 'x'.repeat(201)],
        ],
      ],
      [
        'requestId is not valid',
        [
          ['photo', jpeg],
          ['requestId', 'a\nb'],
        ],
      ],
    ] as const) {
      const { status, body } = await upload(cloud, token, parts)
      assert.deepEqual([status, body], [400, { error }])
    }
    const two = await upload(cloud, token, [
      ['requestId', 'r'],
      ['photo', jpeg],
      ['file', jpeg],
    ])
    assert.deepEqual([two.status, two.body], [400, { error: 'The form could not be read' }])
    const proto = await upload(cloud, token, [
      ['__proto__', 'x'],
      ['requestId', 'r'],
      ['photo', jpeg],
    ])
    assert.equal(proto.status, 400)
    const json = await cloud.request('POST', '/api/photos/upload', { token, body: { requestId: 'r' } })
    assert.deepEqual([json.status, json.body], [415, { error: 'The content type is not supported' }])
    const torn = await cloud.request('POST', '/api/photos/upload', {
      token,
      body: '--b\r\ncontent-disposition: form-data; name="photo"; filename="a"\r\n\r\n\xff\xd8\xff',
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
    })
    assert.equal(torn.status, 400)
    const bare = await cloud.request('POST', '/api/photos/upload', {
      token,
      body: 'x',
      headers: { 'content-type': 'multipart/form-data' },
    })
    assert.equal(bare.status, 400)
    assert.deepEqual(await galleryOf(cloud, token), [])
    for await (const { key } of cloud.cloud.services.blobs.list('photos/')) assert.fail(key)
  })

  test('PHO-24: an upload that breaks off leaves nothing', async (t) => {
    const { cloud, token } = await home(t)
    const call = httpRequest(`${cloud.url}/api/photos/upload`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'multipart/form-data; boundary=b' },
    })
    call.on('error', () => {})
    call.write('--b\r\ncontent-disposition: form-data; name="photo"; filename="a"\r\n\r\n')
    const { gallery } = cloud.cloud.services
    const ended = new Promise<string>((resolve) => {
      const receive = gallery.receive.bind(gallery)
      t.mock.method(gallery, 'receive', async (...given: Parameters<typeof receive>) => {
        setImmediate(() => call.destroy())
        return receive(...given).catch((error: Error) => {
          resolve(error.message)
          throw error
        })
      })
    })
    call.write(image.jpeg(200_000))
    assert.match(await ended, /closed|aborted|Premature/i)
    for await (const { key } of cloud.cloud.services.blobs.list('photos/')) assert.fail(key)
    assert.deepEqual(await galleryOf(cloud, token), [])
  })
})
