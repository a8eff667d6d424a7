import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { describe, type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import { galleryExport } from '../../src/features/gallery/index.ts'
import { VirtualClock } from '../../src/time/testing/virtual-clock.ts'
import { galleryOf, image, upload } from '../support/photo-app.ts'
import { type LocalCloud, startCloud } from '../support/test-cloud.ts'

const ada = 'ada@example.com'
const eve = 'eve@example.com'

/** Starts a cloud with two users; `takePhoto` uploads a photo of the first and returns its id. */
async function startWithGallery(t: TestContext) {
  const clock = new VirtualClock(Date.UTC(2026, 4, 1, 12))
  const cloud = await startCloud(t, { overrides: { clock } })
  const token = await cloud.token(ada)
  const other = await cloud.token(eve)
  const takePhoto = async (requestId: string, bytes = image.jpeg()) => {
    const { status, body } = await upload<{ photoUrl: string }>(cloud, token, [
      ['requestId', requestId],
      ['photo', bytes],
    ])
    assert.equal(status, 200)
    clock.advance(1_000)
    return body.photoUrl.slice(cloud.url.length).split('/')[3] ?? ''
  }
  return { cloud, clock, token, other, takePhoto }
}

/** The keys of all photo blobs. */
async function photoBlobs(cloud: LocalCloud): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of cloud.cloud.blobs.list('photos/')) keys.push(key)
  return keys
}
describe('gallery', () => {
  test('GAL-15: a full gallery rejects photos, concurrent uploads included, until one is deleted', async (t) => {
    const cloud = await startCloud(t, { env: { GALLERY_MB: '1' } })
    const token = await cloud.token(ada)
    const takePhoto = async (requestId: string) => {
      const { status, body } = await upload(cloud, token, [
        ['requestId', requestId],
        ['photo', image.jpeg(400 * 1024)],
      ])
      return status === 413 ? body : status
    }
    const full = {
      error: 'The gallery is full, with at most 1 MiB and 10,000 photos; delete some photos first',
    }
    const outcomes = await Promise.all(['r1', 'r2', 'r3', 'r4', 'r5'].map(takePhoto))
    assert.deepEqual(
      outcomes.filter((outcome) => outcome !== 200),
      [full, full, full],
    )
    const photos = await galleryOf(cloud, token)
    assert.equal(photos.length, 2)
    assert.equal((await photoBlobs(cloud)).length, 2)
    await cloud.request('DELETE', `/api/gallery/${photos[0]?._id}`, { token })
    assert.deepEqual([await takePhoto('r6'), await takePhoto('r7')], [200, full])
    assert.equal(
      (
        await upload(cloud, await cloud.token(eve), [
          ['requestId', 'r8'],
          ['photo', image.jpeg()],
        ])
      ).status,
      200,
    )
  })

  test('GAL-1 GAL-2: photos are listed newest first, with exactly the fields of the contract', async (t) => {
    const { cloud, token, takePhoto } = await startWithGallery(t)
    const user = await cloud.operator.users.findByEmail(ada)
    const first = await takePhoto('r1', image.jpeg(1_234))
    const second = await takePhoto('r2', image.png())
    assert.deepEqual(await galleryOf(cloud, token), [
      {
        _id: second,
        userId: user?.id,
        userEmail: ada,
        filename: `${second}.png`,
        uploadedAt: '2026-05-01T12:00:01.000Z',
        size: 1_000,
        mimeType: 'image/png',
        metadata: { requestId: 'r2', origin: 'glasses' },
      },
      {
        _id: first,
        userId: user?.id,
        userEmail: ada,
        filename: `${first}.jpg`,
        uploadedAt: '2026-05-01T12:00:00.000Z',
        size: 1_234,
        mimeType: 'image/jpeg',
        metadata: { requestId: 'r1', origin: 'glasses' },
      },
    ])
  })

  test('GAL-3: a paged list is sorted newest first across all pages', async (t) => {
    const { cloud, token, takePhoto } = await startWithGallery(t)
    const ids: string[] = []
    for (const n of [1, 2, 3, 4, 5]) ids.unshift(await takePhoto(`r${n}`))
    const found: unknown[] = []
    let path: string | undefined = '/api/gallery?limit=2'
    while (path !== undefined) {
      const response: Awaited<ReturnType<typeof cloud.request<{ photos: { _id: string }[] }>>> =
        await cloud.request('GET', path, { token })
      assert.ok(response.body.photos.length <= 2)
      found.push(...response.body.photos.map(({ _id }) => _id))
      path = /^<([^>]+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1]
    }
    assert.deepEqual(found, ids)
    for (const query of ['?limit=0', '?limit=201', '?limit=x', '?cursor=%20'])
      assert.equal((await cloud.request('GET', `/api/gallery${query}`, { token })).status, 400, query)
  })

  test('GAL-19: images are listed, videos only with type, in pages', async (t) => {
    const { cloud, clock, token, takePhoto } = await startWithGallery(t)
    const user = await cloud.operator.users.findByEmail(ada)
    assert.ok(user)
    const { gallery } = cloud.cloud.features.gallery
    const photos: string[] = []
    const videos: string[] = []
    for (const n of [1, 2, 3]) {
      photos.unshift(await takePhoto(`photo${n}`))
      const video = Readable.from([Buffer.from(`video ${n}`)])
      assert.ok(await gallery.addRecording(user.id, `video${n}`, video))
      clock.advance(1_000)
      videos.unshift(String((await galleryOf(cloud, token, '?type=video'))[0]?._id))
    }
    const idsOf = async (query: string) => (await galleryOf(cloud, token, query)).map(({ _id }) => _id)
    assert.deepEqual(await idsOf(''), photos)
    assert.deepEqual(await idsOf('?type=image'), photos)
    assert.deepEqual(await idsOf('?type=video'), videos)
    const all = videos.flatMap((video, index) => [video, photos[index]])
    assert.deepEqual(await idsOf('?type=all'), all)

    for (const [query, expected] of [
      ['?limit=2', photos],
      ['?limit=2&type=video', videos],
      ['?type=all&limit=2', all],
    ] as const) {
      const first = await cloud.request<{ photos: { _id: string }[] }>('GET', `/api/gallery${query}`, {
        token,
      })
      assert.deepEqual(
        first.body.photos.map(({ _id }) => _id),
        expected.slice(0, 2),
      )
      const next = /^<\/api\/gallery([^>]+)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1] ?? ''
      assert.deepEqual(await idsOf(next), expected.slice(2, 4))
    }
    for (const query of ['?type=', '?type=photo', '?type=IMAGE', '?type=image&type=video']) {
      const { status, body } = await cloud.request('GET', `/api/gallery${query}`, { token })
      assert.equal(status, 400, query)
      assert.deepEqual(Object.keys(body as object), ['error'])
    }
  })

  test('GAL-4: glasses and core tokens open only the gallery of their user', async (t) => {
    const { cloud, other, takePhoto } = await startWithGallery(t)
    const id = await takePhoto('r1')
    const glasses = await cloud.token(ada, { scope: 'glasses' })
    assert.equal((await galleryOf(cloud, glasses)).length, 1)
    assert.deepEqual(await galleryOf(cloud, other), [])
    for (const [method, path] of [
      ['GET', '/api/gallery'],
      ['GET', `/api/gallery/${id}/file`],
      ['DELETE', `/api/gallery/${id}`],
    ] as const)
      for (const token of [undefined, 'nonsense']) {
        const { status, body } = await cloud.request(method, path, { token })
        assert.deepEqual([status, body], [401, { error: 'Unauthorized' }])
      }
  })

  test('GAL-5: deleting a photo removes its row and blob', async (t) => {
    const { cloud, token, takePhoto } = await startWithGallery(t)
    const [deleted, kept] = [await takePhoto('r1'), await takePhoto('r2')]
    const { status, body } = await cloud.request('DELETE', `/api/gallery/${deleted}`, { token })
    assert.deepEqual([status, body], [200, { success: true, message: 'Photo deleted successfully' }])
    assert.deepEqual(
      (await galleryOf(cloud, token)).map(({ _id }) => _id),
      [kept],
    )
    assert.deepEqual(
      (await photoBlobs(cloud)).map((key) => key.split('/')[2]),
      [kept],
    )
    const again = await cloud.request('DELETE', `/api/gallery/${deleted}`, { token })
    assert.deepEqual([again.status, again.body], [404, { error: 'Photo not found' }])
  })

  test('GAL-6: deleting a foreign photo returns 403, an unknown one 404', async (t) => {
    const { cloud, token, other, takePhoto } = await startWithGallery(t)
    const id = await takePhoto('r1')
    const { status, body } = await cloud.request('DELETE', `/api/gallery/${id}`, { token: other })
    assert.deepEqual([status, body], [403, { error: 'Not authorized to delete this photo' }])
    assert.equal((await galleryOf(cloud, token)).length, 1)
    for (const unknownId of ['0000', 'UPPER', '%00', 'a%2Fb', `${'a'.repeat(200)}`]) {
      const response = await cloud.request('DELETE', `/api/gallery/${unknownId}`, { token })
      assert.deepEqual([response.status, response.body], [404, { error: 'Photo not found' }], unknownId)
    }
  })

  test('GAL-7: a blob that cannot be deleted is removed by a later sweep', async (t) => {
    const { cloud, clock, token, takePhoto } = await startWithGallery(t)
    const id = await takePhoto('r1')
    const { blobs } = cloud.cloud
    const { gallery } = cloud.cloud.features.gallery
    const remove = t.mock.method(blobs, 'delete', async () => {
      throw new Error('disk failure')
    })
    assert.equal((await cloud.request('DELETE', `/api/gallery/${id}`, { token })).status, 200)
    assert.deepEqual(await galleryOf(cloud, token), [])
    remove.mock.restore()
    assert.equal((await photoBlobs(cloud)).length, 1)
    const kept = await takePhoto('r2')
    clock.advance(2 * 60 * 60 * 1000)
    await gallery.sweep()
    assert.deepEqual(
      (await photoBlobs(cloud)).map((key) => key.split('/')[2]),
      [kept],
    )
  })

  test('GAL-8: a database failure returns 500 with the messages of the contract', async (t) => {
    const { cloud, token, takePhoto } = await startWithGallery(t)
    const id = await takePhoto('r1')
    await sql`drop table gallery_photos`.execute(cloud.cloud.db)
    const list = await cloud.request('GET', '/api/gallery', { token })
    assert.deepEqual([list.status, list.body], [500, { error: 'Failed to fetch gallery photos' }])
    const remove = await cloud.request('DELETE', `/api/gallery/${id}`, { token })
    assert.deepEqual([remove.status, remove.body], [500, { error: 'Failed to delete photo' }])
    assert.equal((await photoBlobs(cloud)).length, 1)
    const put = await upload(cloud, token, [
      ['requestId', 'r2'],
      ['photo', image.jpeg()],
    ])
    assert.deepEqual([put.status, put.body], [500, { error: 'Failed to store the photo' }])
    assert.equal((await photoBlobs(cloud)).length, 1, 'a photo that could not be stored leaves no blob')
  })

  test('GAL-12: an export contains every photo and its download URL', async (t) => {
    const { cloud, takePhoto } = await startWithGallery(t)
    const user = await cloud.operator.users.findByEmail(ada)
    assert.ok(user)
    const { publicUrl } = cloud.cloud
    const { gallery } = cloud.cloud.features.gallery
    const id = await takePhoto('r1', image.webp())
    assert.ok(await gallery.addRecording(user.id, 'r2', Readable.from([Buffer.from('video')])))
    const section = galleryExport(gallery, publicUrl)
    assert.equal(section.name, 'gallery')
    const facts: unknown[] = []
    for await (const fact of section.facts(user, 'json')) facts.push(fact)
    const [recording] = facts.splice(0, 1)
    assert.match(JSON.stringify(recording), /"mimeType":"video\/mp4".*"requestId":"r2"/)
    assert.deepEqual(facts, [
      {
        key: id,
        value: {
          filename: `${id}.webp`,
          uploadedAt: '2026-05-01T12:00:00.000Z',
          size: 1_000,
          mimeType: 'image/webp',
          metadata: { requestId: 'r1', origin: 'glasses' },
          file: { method: 'GET', url: `${cloud.url}/api/gallery/${id}/file` },
        },
        updatedAt: Date.UTC(2026, 4, 1, 12),
      },
    ])
  })

  test('GAL-13: account deletion removes exactly the photos and blobs of the user', async (t) => {
    const { cloud, token, other, takePhoto } = await startWithGallery(t)
    await takePhoto('r1')
    await upload(cloud, other, [
      ['requestId', 'r2'],
      ['photo', image.jpeg()],
    ])
    const user = await cloud.operator.users.findByEmail(ada)
    assert.ok(user)
    const { gallery } = cloud.cloud.features.gallery
    assert.ok(await gallery.addRecording(user.id, 'r3', Readable.from([Buffer.from('video')])))
    // A blob of an upload interrupted by a crash.
    await cloud.cloud.blobs.put(`photos/${user.id}/left`, Readable.from([Buffer.from('x')]))
    const { status } = await cloud.request('POST', '/api/account/request-deletion', { token, body: {} })
    assert.equal(status, 200)
    assert.equal((await photoBlobs(cloud)).filter((key) => key.includes(user.id)).length, 0)
    assert.equal((await galleryOf(cloud, other)).length, 1)
    assert.equal((await photoBlobs(cloud)).length, 1)
  })
})
