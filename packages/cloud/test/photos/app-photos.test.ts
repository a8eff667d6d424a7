import assert from 'node:assert/strict'
import { createHash, createHmac } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { describe, test } from 'node:test'
import { systemClock } from '../../src/time/index.ts'
import { VirtualClock } from '../../src/time/testing/virtual-clock.ts'
import { connectGlasses, type Delivery, galleryOf, image, PhotoApp, upload } from '../support/photo-app.ts'
import {
  createPhotoRig,
  failureOf,
  photoPackage,
  requestPhoto,
  storedPhotos,
  waitForOutcome,
} from '../support/photo-rig.ts'
import { spawnCloud, startCloud } from '../support/test-cloud.ts'

const MiB = 1024 * 1024

function assertSigned({ apiKey }: PhotoApp, { headers, raw }: Pick<Delivery, 'headers' | 'raw'>): void {
  assert.equal(headers['content-length'], String(raw.length))
  const key = createHash('sha256').update(apiKey).digest()
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.`
  const mac = createHmac('sha256', key).update(signed).update(raw).digest('base64')
  assert.equal(headers['webhook-signature'], `v1,${mac}`)
}

describe('photos for apps', () => {
  test('PHO-11 PHO-12: a photo is forwarded to the app, signed, in the form the app SDK expects', async (t) => {
    const { app, glasses, ...rest } = await createPhotoRig(t)
    for (const kind of ['direct', 'phone'] as const) {
      glasses.camera = { kind }
      const outcome = await waitForOutcome(glasses, () =>
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
      assertSigned(app, { headers, raw })
    }
    app.requestPhoto('bare')
    assert.equal((await app.waitForDelivery('bare')).headers.authorization, undefined)
    assert.equal(await storedPhotos({ app, glasses, ...rest }), 0)
  })

  test('PHO-36 PHO-38 PHO-39: photos and failures of an app on MiniAppServer', async (t) => {
    const { cloud, token, glasses } = await createPhotoRig(t)
    const app = await PhotoApp.run(t, cloud, token, 'app.mini', '3.0.0-hono.8')
    glasses.camera = { kind: 'direct' }
    const outcome = await waitForOutcome(glasses, () => app.requestPhoto('one', { size: 'small' }))
    assert.ok(outcome.ok)
    const { success, photoUrl, savedToGallery } = await app.waitForAnswer('one')
    assert.deepEqual([success, savedToGallery], [true, false])
    const url = new URL(String(photoUrl))
    assert.equal(url.origin, cloud.url)
    const response = await fetch(url)
    const { status, headers } = response
    assert.deepEqual(
      [status, ...['content-type', 'cache-control', 'ratelimit-limit'].map((name) => headers.get(name))],
      [200, 'image/jpeg', 'private, no-store', '3000'],
    )
    assert.ok(Buffer.from(await response.arrayBuffer()).equals(outcome.picture.jpeg))
    const part = await fetch(url, { headers: { range: 'bytes=1-2' } })
    assert.deepEqual(
      [part.status, Buffer.from(await part.arrayBuffer())],
      [206, outcome.picture.jpeg.subarray(1, 3)],
    )
    const forged = [url.pathname.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A')), `${url.pathname}A`]
    for (const path of [...forged, '/api/photos/shared/x/y']) {
      const refused = await fetch(new URL(path, url))
      assert.deepEqual([refused.status, await refused.json()], [404, { error: 'Photo not found' }])
    }

    app.requestPhoto('kept', { saveToGallery: true, size: 'small' })
    const kept = await app.waitForAnswer('kept')
    assert.equal(kept.savedToGallery, true)
    const [stored] = await galleryOf(cloud, token)
    assert.equal((await fetch(String(kept.photoUrl))).status, 200)
    await cloud.request('DELETE', `/api/gallery/${stored?._id}`, { token })
    assert.equal((await fetch(String(kept.photoUrl))).status, 404)

    glasses.camera = { kind: 'fail', errorCode: 'CAMERA_BUSY', errorMessage: 'recording' }
    app.requestPhoto('failed')
    const failed = await app.waitForAnswer('failed')
    assert.deepEqual([failed.success, failed.error], [false, { code: 'CAMERA_BUSY', message: 'recording' }])

    glasses.camera = { kind: 'ignore' }
    app.requestPhoto('not stored')
    const { authToken } = await glasses.waitForMessage('photo_request', (m) => m.requestId === 'not stored')
    const failure = t.mock.method(cloud.cloud.features.gallery.gallery, 'add', async () => {
      throw new Error('the database is away')
    })
    app.requestPhoto('broken', { saveToGallery: true })
    const target = await glasses.waitForMessage('photo_request', (m) => m.requestId === 'broken')
    assert.equal((await upload(cloud, String(target.authToken), [['photo', image.jpeg()]])).status, 500)
    assert.deepEqual((await app.waitForAnswer('broken')).error, {
      code: 'UPLOAD_FAILED',
      message: 'The photo could not be stored',
    })
    failure.mock.restore()
    assert.equal((await upload(cloud, String(authToken), [['photo', image.jpeg()]])).status, 200)
    assert.equal((await app.waitForAnswer('not stored')).success, true)
    assert.deepEqual(app.deliveries, [])
    assert.equal(
      (await cloud.request('POST', '/api/account/request-deletion', { token, body: {} })).status,
      200,
    )
    assert.equal((await fetch(url)).status, 404)
    assert.equal(await storedPhotos({ cloud, token, glasses, app }), 0)
  })

  test('PHO-13: a photo is stored in the gallery only if the app requested it', async (t) => {
    const { app, cloud, glasses, token } = await createPhotoRig(t)
    glasses.camera = { kind: 'direct' }
    app.requestPhoto('kept', { saveToGallery: true, size: 'small' })
    app.requestPhoto('not kept', { size: 'small' })
    const [kept] = [await app.waitForDelivery('kept'), await app.waitForDelivery('not kept')]
    const [photo, ...others] = await galleryOf(cloud, token)
    assert.deepEqual(others, [])
    assert.deepEqual(photo?.metadata, { requestId: 'kept', origin: 'app', packageName: photoPackage })
    assert.equal(photo?.size, kept?.photo?.size)
    assert.equal(await storedPhotos({ app, cloud, glasses, token }), 1)
  })

  test("GAL-15: an app's photo in a full gallery", async (t) => {
    const rig = await createPhotoRig(t, { env: { GALLERY_MB: '1' } })
    const { cloud, token, app } = rig
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
    const { authToken } = await requestPhoto(rig, 'r1', { saveToGallery: true })
    const response = await upload(cloud, authToken, [['photo', image.jpeg()]])
    assert.deepEqual(
      [response.status, response.body],
      [200, { success: true, photoUrl: null, requestId: 'r1' }],
    )
    assert.ok((await app.waitForDelivery('r1')).photo)
    assert.equal(await storedPhotos(rig), 1)
  })

  test('PHO-34: logging out everywhere revokes upload tokens', async (t) => {
    const rig = await createPhotoRig(t)
    const { cloud, token } = rig
    const { authToken } = await requestPhoto(rig, 'r1')
    assert.equal((await cloud.request('POST', '/api/auth/logout', { token })).status, 200)
    const answer = await upload(cloud, authToken, [['photo', image.jpeg()]])
    assert.deepEqual([answer.status, answer.body], [401, { error: 'Unauthorized' }])
  })

  test('PHO-14: an upload token, used twice and elsewhere', async (t) => {
    const rig = await createPhotoRig(t)
    const { cloud, token } = rig
    const { webhookUrl, authToken } = await requestPhoto(rig, 'r1')
    assert.equal(webhookUrl, `${cloud.url}/api/photos/upload`)
    for (const [method, path] of [
      ['GET', '/api/gallery'],
      ['GET', '/api/account/me'],
      ['GET', '/api/apps'],
      ['POST', '/api/auth/glasses-token'],
    ] as const)
      assert.equal((await cloud.request(method, path, { token: authToken })).status, 401, path)
    // The token names the request; the form field is ignored.
    const response = await upload(cloud, authToken, [
      ['requestId', 'another'],
      ['photo', image.jpeg()],
    ])
    assert.deepEqual(
      [response.status, response.body],
      [200, { success: true, photoUrl: null, requestId: 'r1' }],
    )
    assert.ok((await rig.app.waitForDelivery('r1')).photo)
    const again = await upload(cloud, authToken, [['photo', image.jpeg()]])
    assert.deepEqual([again.status, again.body], [404, { error: 'The photo request has ended' }])
    assert.deepEqual(await galleryOf(cloud, token), [])
    assert.equal(await storedPhotos(rig), 0)
  })

  test('PHO-14: a phone may upload with its own token', async (t) => {
    const rig = await createPhotoRig(t)
    const { cloud, token, app } = rig
    await requestPhoto(rig, 'r1')
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
    assert.equal((await galleryOf(cloud, stranger)).length, 1, 'the upload counts as a photo of the stranger')
    assert.equal((await upload(cloud, token, parts)).status, 200)
    assert.ok((await app.waitForDelivery('r1')).photo)
    const second = await upload(cloud, token, parts)
    assert.equal(second.status, 404, 'a second upload does not count as a photo of the user')
    assert.deepEqual(await galleryOf(cloud, token), [])
  })

  test('PHO-15: a failed forward is reported to the app, not to the glasses', async (t) => {
    const rig = await createPhotoRig(t)
    const { app, glasses, token, cloud } = rig
    glasses.camera = { kind: 'direct' }
    app.status = 500
    const outcome = await waitForOutcome(glasses, () =>
      app.requestPhoto('r1', { saveToGallery: true, size: 'small' }),
    )
    assert.equal(outcome.ok, true)
    assert.ok((await app.waitForDelivery('r1')).photo)
    assert.deepEqual(failureOf(await app.waitForDelivery('r1')), ['forward', 'UPLOAD_FAILED'])
    assert.equal((await galleryOf(cloud, token)).length, 1)
  })

  test('PHO-16 PHO-35: a failure reported by the glasses reaches the app, by socket and by REST', async (t) => {
    const rig = await createPhotoRig(t)
    const { app, glasses, cloud, token } = rig
    glasses.camera = { kind: 'fail', errorCode: 'CAMERA_BUSY', errorMessage: 'recording' }
    app.requestPhoto('r1')
    const { fields, ...rest } = await app.waitForDelivery('r1')
    assert.deepEqual(fields, {
      requestId: 'r1',
      type: 'photo_error',
      success: 'false',
      errorCode: 'CAMERA_BUSY',
      errorMessage: 'recording',
      hop: 'glasses',
    })
    assertSigned(app, rest)
    glasses.camera = { kind: 'ignore' }
    await requestPhoto(rig, 'r2')
    const report = { type: 'photo_response', requestId: 'r2', success: false, errorCode: 'BATTERY_LOW' }
    const response = await cloud.request<Record<string, unknown>>('POST', '/api/client/photo/response', {
      token,
      body: report,
    })
    assert.equal(response.status, 200)
    const { timestamp, ...body } = response.body
    assert.deepEqual(body, { success: true, message: 'Photo response received' })
    assert.ok(!Number.isNaN(Date.parse(String(timestamp))))
    assert.deepEqual(failureOf(await app.waitForDelivery('r2')), ['glasses', 'BATTERY_LOW'])
    for (const wrong of [{}, { requestId: 'r2' }, { requestId: '', success: false }, []]) {
      const { status } = await cloud.request('POST', '/api/client/photo/response', { token, body: wrong })
      assert.equal(status, 400)
    }
    const eve = await cloud.token('eve@example.com')
    const withoutSession = await cloud.request('POST', '/api/client/photo/response', {
      token: eve,
      body: report,
    })
    assert.deepEqual([withoutSession.status, withoutSession.body], [503, { error: 'NO_ACTIVE_SESSION' }])
    assert.equal((await cloud.request('POST', '/api/client/photo/response', { body: report })).status, 401)
  })

  test('PHO-17: a photo request times out after 28 s, and the app is notified', async (t) => {
    const clock = new VirtualClock(Date.now())
    const rig = await createPhotoRig(t, { overrides: { clock } })
    const { authToken } = await requestPhoto(rig, 'r1')
    clock.advance(28_000)
    assert.deepEqual(failureOf(await rig.app.waitForDelivery('r1')), ['deadline', 'PHONE_TIMEOUT'])
    const late = await upload(rig.cloud, authToken, [['photo', image.jpeg()]])
    assert.equal(late.status, 404)
    assert.equal(await storedPhotos(rig), 0)
  })

  test('PHO-18: uploads of a wrong type, size and form', async (t) => {
    const rig = await createPhotoRig(t)
    const { cloud, app } = rig
    const rejections = [
      [415, 'A photo must be a JPEG, PNG or WebP image', [['photo', Buffer.from('<svg onload="alert(1)">')]]],
      [415, 'A photo must be a JPEG, PNG or WebP image', [['photo', Buffer.alloc(0)]]],
      [413, 'A photo may be at most 10 MiB', [['photo', image.jpeg(10 * MiB + 1)]]],
      [400, 'A photo is required, in the field photo or file', [['picture', image.jpeg()]]],
      [400, 'A photo is required, in the field photo or file', [['type', 'photo_upload']]],
    ] as const
    for (const [at, [status, error, parts]] of rejections.entries()) {
      const requestId = `r${at}`
      const { authToken } = await requestPhoto(rig, requestId)
      const response = await upload(cloud, authToken, parts)
      assert.deepEqual([response.status, response.body], [status, { error }])
      const delivery = await app.waitForDelivery(requestId)
      assert.deepEqual(failureOf(delivery), ['upload', 'UPLOAD_FAILED'])
      assert.deepEqual(failureOf(delivery), ['upload', 'UPLOAD_FAILED'])
      assert.equal(delivery.fields.errorMessage, error)
    }
    assert.equal(await storedPhotos(rig), 0)
  })

  test('PHO-25: an upload that cannot be stored is reported to the app before the form ends', async (t) => {
    const rig = await createPhotoRig(t)
    const { cloud, app } = rig
    t.mock.method(cloud.cloud.blobs, 'put', async () => {
      throw new Error('the disk is full')
    })
    const { authToken } = await requestPhoto(rig, 'by token')
    const call = httpRequest(`${cloud.url}/api/photos/upload`, {
      method: 'POST',
      headers: { authorization: `Bearer ${authToken}`, 'content-type': 'multipart/form-data; boundary=b' },
    })
    call.on('error', () => {})
    call.write('--b\r\ncontent-disposition: form-data; name="photo"; filename="a"\r\n\r\n')
    call.write(image.jpeg(100_000))
    const delivery = await app.waitForDelivery('by token')
    assert.deepEqual(failureOf(delivery), ['upload', 'UPLOAD_FAILED'])
    assert.equal(delivery.fields.errorMessage, 'The photo could not be stored')
    call.destroy()

    await requestPhoto(rig, 'by field')
    const response = await upload(cloud, rig.token, [
      ['photo', image.jpeg()],
      ['requestId', 'by field'],
    ])
    assert.deepEqual([response.status, response.body], [500, { error: 'Failed to store the photo' }])
    assert.deepEqual(failureOf(await app.waitForDelivery('by field')), ['upload', 'UPLOAD_FAILED'])
  })

  test('PHO-32: an accepted photo reaches the app although the process was killed', async (t) => {
    const first = await spawnCloud(t)
    const token = await first.token('ada@example.com')
    const glasses = await connectGlasses(t, first, token, { camera: { kind: 'ignore' } })
    const app = await PhotoApp.run(t, first, token, photoPackage)
    app.requestPhoto('r1', { authToken: 'for me' })
    const request = await glasses.waitForMessage('photo_request')
    app.status = null
    const jpeg = image.jpeg(200_000)
    const accepted = await upload(first, String(request.authToken), [['photo', jpeg]])
    assert.equal(accepted.status, 200)
    await app.waitForDelivery('r1')
    await first.kill()

    app.status = 200
    const early = await startCloud(t, { env: first.env })
    await early.cloud.features.photos.relay.idle()
    assert.deepEqual(app.deliveries, [], 'the lease of the killed process has not expired')
    const [stored] = await early.cloud.db.selectFrom('photo_deliveries').selectAll().execute()
    assert.ok(stored && !JSON.stringify(stored).includes('for me'), 'the token is stored encrypted')
    await early.stop()
    const clock = { ...systemClock, now: () => Date.now() + 60_000 }
    const next = await startCloud(t, { env: first.env, overrides: { clock } })
    const { headers, photo } = await app.waitForDelivery('r1')
    assert.equal(headers.authorization, 'Bearer for me')
    assert.ok(photo && Buffer.from(await photo.arrayBuffer()).equals(jpeg))
    await next.cloud.features.photos.relay.idle()
    assert.deepEqual(await next.cloud.db.selectFrom('photo_deliveries').selectAll().execute(), [])
    for await (const { key } of next.cloud.blobs.list('photos/')) assert.fail(key)
  })

  test('PHO-33: a delivery that was interrupted three times fails', async (t) => {
    const rig = await createPhotoRig(t)
    const { features, db } = rig.cloud.cloud
    const user = await rig.cloud.operator.users.findByEmail('ada@example.com')
    const content = (async function* () {
      yield image.jpeg()
    })()
    const photo = await features.gallery.gallery.receive(user?.id ?? '', content, { maxBytes: MiB })
    assert.ok(typeof photo === 'object')
    const claim = {
      kind: 'requested',
      packageName: photoPackage,
      requestId: 'r1',
      saveToGallery: false,
      route: 'upload',
    } as const
    await features.photos.relay.accept(photo, { ...claim, authToken: undefined })
    await db.updateTable('photo_deliveries').set({ attempts: 3, lease_until: 0 }).execute()
    features.photos.relay.start()
    assert.deepEqual(failureOf(await rig.app.waitForDelivery('r1')), ['forward', 'UPLOAD_FAILED'])
    assert.equal(await storedPhotos(rig), 0)
    assert.deepEqual(await db.selectFrom('photo_deliveries').selectAll().execute(), [])
  })

  test('PHO-19: the upload URL starts with PUBLIC_URL', async (t) => {
    const { cloud } = await startCloud(t, { env: { PUBLIC_URL: 'https://cloud.example.org/glasses/' } })
    const { webhookUrl } = cloud.features.photos.relay.target('u1', photoPackage, 'r1')
    assert.equal(webhookUrl, 'https://cloud.example.org/glasses/api/photos/upload')
  })
})
