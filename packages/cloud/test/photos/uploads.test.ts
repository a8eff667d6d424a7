import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import { describe, type TestContext, test } from 'node:test'
import { connectGlasses, galleryOf, image, upload } from '../support/photo-app.ts'
import { createPhotoRig, failureOf, requestPhoto } from '../support/photo-rig.ts'
import { startCloud } from '../support/test-cloud.ts'

const MiB = 1024 * 1024

describe('photos of the user', () => {
  async function startWithGlassesToken(t: TestContext) {
    const cloud = await startCloud(t)
    return { cloud, token: await cloud.token('ada@example.com', { scope: 'glasses' }) }
  }

  test('PHO-20: uploads with and without a session', async (t) => {
    const { cloud, token } = await startWithGlassesToken(t)
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

  test('PHO-21: each form of the upload', async (t) => {
    const { cloud, token } = await startWithGlassesToken(t)
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

  test('PHO-22: the content decides the type of a photo, and its size is at most 10 MiB', async (t) => {
    const { cloud, token } = await startWithGlassesToken(t)
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
      const response = await upload(cloud, token, [
        ['requestId', 'r'],
        ['photo', bytes],
      ])
      assert.equal(response.status, status)
    }
    assert.equal((await galleryOf(cloud, token)).length, 1)
  })

  test('PHO-18: fields after a rejected file are read', async (t) => {
    const rig = await createPhotoRig(t)
    for (const [requestId, status, bytes] of [
      ['r1', 415, Buffer.alloc(2 * MiB)],
      ['r2', 413, image.jpeg(10 * MiB + 100_000)],
    ] as const) {
      await requestPhoto(rig, requestId)
      const response = await upload(rig.cloud, rig.token, [
        ['photo', bytes],
        ['requestId', requestId],
      ])
      assert.equal(response.status, status)
      assert.deepEqual(failureOf(await rig.app.waitForDelivery(requestId)), ['upload', 'UPLOAD_FAILED'])
    }
  })

  test('PHO-23: an invalid form is rejected and stores nothing', async (t) => {
    const { cloud, token } = await startWithGlassesToken(t)
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
    assert.deepEqual(
      [json.status, json.body],
      [415, { error: 'The content type is not supported; send multipart/form-data' }],
    )
    const truncated = await cloud.request('POST', '/api/photos/upload', {
      token,
      body: '--b\r\ncontent-disposition: form-data; name="photo"; filename="a"\r\n\r\n\xff\xd8\xff',
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
    })
    assert.equal(truncated.status, 400)
    const bare = await cloud.request('POST', '/api/photos/upload', {
      token,
      body: 'x',
      headers: { 'content-type': 'multipart/form-data' },
    })
    assert.equal(bare.status, 400)
    assert.deepEqual(await galleryOf(cloud, token), [])
    for await (const { key } of cloud.cloud.blobs.list('photos/')) assert.fail(key)
  })

  test('PHO-24: an aborted upload stores nothing', async (t) => {
    const { cloud, token } = await startWithGlassesToken(t)
    const call = httpRequest(`${cloud.url}/api/photos/upload`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'multipart/form-data; boundary=b' },
    })
    call.on('error', () => {})
    call.write('--b\r\ncontent-disposition: form-data; name="photo"; filename="a"\r\n\r\n')
    const { gallery } = cloud.cloud.features.gallery
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
    for await (const { key } of cloud.cloud.blobs.list('photos/')) assert.fail(key)
    assert.deepEqual(await galleryOf(cloud, token), [])
  })
})
