import assert from 'node:assert/strict'
import { basename } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Readable } from 'node:stream'
import { describe, type TestContext, test } from 'node:test'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { openFolderBlobStore } from '../../src/blobs/folder-blob-store.ts'
import { S3Server } from '../../src/blobs/testing/s3-server.ts'
import { deleteAccount } from '../support/deletion-client.ts'
import { galleryOf, image, upload } from '../support/photo-app.ts'
import { blobsFolder, filesIn } from '../support/slow-upload.ts'
import { type LocalCloud, startCloud } from '../support/test-cloud.ts'

const ada = 'ada@example.com'
const eve = 'eve@example.com'

/** Cameras store pictures as they are taken, and how to turn them. */
const TURNED_RIGHT = 6

/** A photo that is 2,000 pixels wide and 1,000 high once it is upright, with the place where it was taken. */
const photo = async () =>
  await sharp({ create: { width: 1_000, height: 2_000, channels: 3, background: '#335577' } })
    .composite([{ input: await noise(), tile: true }])
    .jpeg({ quality: 95 })
    .withExif({ IFD3: { GPSLatitude: '52/1 31/1 12/1', GPSLatitudeRef: 'N' } })
    .withMetadata({ orientation: TURNED_RIGHT })
    .toBuffer()

const noise = () =>
  sharp({
    create: {
      width: 250,
      height: 250,
      channels: 3,
      background: '#fff',
      noise: { type: 'gaussian', mean: 128, sigma: 30 },
    },
  })
    .png()
    .toBuffer()

/** A valid PNG of a few KB with 81 million pixels, of one bit each. */
function bomb(): Buffer {
  const side = 9_000
  const part = (type: string, data: Buffer) => {
    const content = Buffer.concat([Buffer.from(type), data])
    const frame = Buffer.alloc(8)
    frame.writeUInt32BE(data.length)
    frame.writeUInt32BE(crc32(content), 4)
    return Buffer.concat([frame.subarray(0, 4), content, frame.subarray(4)])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side)
  header.writeUInt32BE(side, 4)
  header[8] = 1
  const rows = Buffer.alloc((1 + side / 8) * side)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    part('IHDR', header),
    part('IDAT', deflateSync(rows)),
    part('IEND', Buffer.alloc(0)),
  ])
}

describe('thumbnails', () => {
  /** Stores a photo and returns requests for its thumbnails. */
  async function withPhoto(t: TestContext, content: Buffer, env: NodeJS.ProcessEnv = {}) {
    const cloud = await startCloud(t, { env })
    const token = await cloud.token(ada)
    const { body } = await upload<{ photoUrl: string }>(cloud, token, [
      ['requestId', 'r1'],
      ['photo', content],
    ])
    const path = body.photoUrl.slice(cloud.url.length).replace(/\/file$/, '')
    const get = async (size: number | string, headers: Record<string, string> = {}) => {
      const response = await fetch(`${cloud.url}${path}/thumbnails/${size}`, {
        headers: { authorization: `Bearer ${token}`, ...headers },
        signal: AbortSignal.timeout(30_000),
      })
      return {
        status: response.status,
        headers: response.headers,
        bytes: Buffer.from(await response.arrayBuffer()),
      }
    }
    return { cloud, token, path, get }
  }

  const filesOf = async (cloud: LocalCloud) =>
    (await filesIn(blobsFolder(cloud))).map((file) => basename(file))

  test('GAL-22: three sizes, upright and without metadata, for the owner alone', async (t) => {
    const { cloud, token, path, get } = await withPhoto(t, await photo())
    for (const [size, width, height] of [
      [160, 160, 80],
      [480, 480, 240],
      [1600, 1600, 800],
    ] as const) {
      const { status, headers, bytes } = await get(size)
      assert.equal(status, 200)
      assert.equal(headers.get('content-type'), 'image/webp')
      assert.equal(headers.get('cache-control'), 'private, no-cache')
      const known = await get(size, { 'if-none-match': headers.get('etag') ?? '' })
      assert.deepEqual([known.status, known.bytes.length], [304, 0])
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
      const found = await sharp(bytes).metadata()
      assert.deepEqual([found.width, found.height], [width, height])
      assert.deepEqual([found.exif, found.orientation, found.xmp, found.iptc], Array(4).fill(undefined))
    }
    for (const size of ['161', '0', '480.webp', '..%2f..', '-1'])
      assert.equal((await get(size)).status, 404, size)
    const stranger = await cloud.request('GET', `${path}/thumbnails/480`, { token: await cloud.token(eve) })
    assert.deepEqual(
      [stranger.status, stranger.body],
      [404, { error: 'PHOTO_NOT_FOUND', message: 'Photo not found' }],
    )
    assert.equal((await cloud.request('GET', `${path}/thumbnails/480`)).status, 401)
    const etag = (await get(480)).headers.get('etag') ?? ''
    assert.equal((await get(160, { 'if-none-match': etag })).status, 200)
    await cloud.request('DELETE', path, { token })
    assert.equal((await get(480, { 'if-none-match': etag })).status, 404)
  })

  test('GAL-22: recordings have no thumbnails', async (t) => {
    const { cloud, token } = await withPhoto(t, image.jpeg())
    const user = await cloud.operator.users.findByEmail(ada)
    assert.ok(user)
    await cloud.cloud.features.gallery.gallery.addRecording(
      user.id,
      'r2',
      Readable.from([Buffer.from('video')]),
    )
    const [recording] = await galleryOf(cloud, token, '?type=video')
    const { status } = await cloud.request('GET', `/api/gallery/${recording?._id}/thumbnails/480`, { token })
    assert.equal(status, 404)
  })

  test('GAL-23: of parallel requests one makes the thumbnail; it is stored, not counted, and not in the list', async (t) => {
    const { cloud, token, path, get } = await withPhoto(t, await photo())
    const user = await cloud.operator.users.findByEmail(ada)
    const usage = () =>
      cloud.cloud.db
        .selectFrom('gallery_usage')
        .selectAll()
        .where('user_id', '=', user?.id ?? '')
        .execute()
    const before = await usage()
    const stored = t.mock.method(cloud.cloud.blobs, 'put')
    const responses = await Promise.all(Array.from({ length: 8 }, () => get(480)))
    assert.equal(stored.mock.callCount(), 1)
    const [first] = responses
    assert.ok(responses.every(({ bytes }) => bytes.equals(first?.bytes ?? Buffer.alloc(0))))
    const again = await get(480)
    assert.deepEqual([again.status, again.bytes.equals(first?.bytes ?? Buffer.alloc(0))], [200, true])
    assert.equal(stored.mock.callCount(), 1)
    assert.deepEqual(await usage(), before)
    assert.equal((await galleryOf(cloud, token)).length, 1)
    const id = path.split('/').at(-1)
    assert.deepEqual((await filesOf(cloud)).sort(), [id, `${id}.480.webp`])
  })

  test('GAL-23: the photo, the account and the sweep take the thumbnails with them', async (t) => {
    const { cloud, token, path, get } = await withPhoto(t, await photo())
    await get(160)
    await get(480)
    assert.equal((await filesOf(cloud)).length, 3)
    await cloud.cloud.features.gallery.gallery.sweep()
    assert.equal((await filesOf(cloud)).length, 3)
    assert.equal((await cloud.request('DELETE', path, { token })).status, 200)
    assert.deepEqual(await filesOf(cloud), [])
    assert.equal((await get(160)).status, 404)

    const user = await cloud.operator.users.findByEmail(ada)
    const blobs = await openFolderBlobStore(blobsFolder(cloud))
    const old = (Date.now() - 2 * 60 * 60 * 1000).toString(36).padStart(9, '0')
    await blobs.put(`photos/${user?.id}/${old}abc.480.webp`, Readable.from([Buffer.from('x')]))
    await cloud.cloud.features.gallery.gallery.sweep()
    assert.deepEqual(await filesOf(cloud), [])
  })

  test('GAL-23: thumbnails on S3, and the deletion of the account', async (t) => {
    const server = await S3Server.start()
    t.after(() => server.close())
    const { cloud, token, get } = await withPhoto(t, await photo(), server.env)
    assert.equal((await get(480)).status, 200)
    assert.equal(server.objects.size, 2)
    assert.equal((await deleteAccount(cloud, token)).status, 200)
    assert.equal(server.objects.size, 0)
  })

  test('GAL-24: a photo that cannot be decoded, or has too many pixels, is served as it is', async (t) => {
    for (const content of [bomb(), image.jpeg(5_000)]) {
      const { cloud, get } = await withPhoto(t, content)
      const { status, headers, bytes } = await get(480)
      assert.equal(status, 200)
      assert.ok(bytes.equals(content))
      assert.equal(headers.get('cache-control'), 'private, no-cache')
      assert.equal((await get(480, { 'if-none-match': headers.get('etag') ?? '' })).status, 304)
      assert.equal((await filesOf(cloud)).length, 1)
    }
  })

  test('GAL-24: the event loop goes on while a large photo is reduced', async (t) => {
    const large = await sharp({ create: { width: 6_000, height: 4_000, channels: 3, background: '#357' } })
      .jpeg()
      .toBuffer()
    const { get } = await withPhoto(t, large)
    const delay = monitorEventLoopDelay({ resolution: 5 })
    delay.enable()
    const startedAt = performance.now()
    assert.equal((await get(1600)).status, 200)
    const duration = performance.now() - startedAt
    delay.disable()
    assert.ok(delay.max / 1e6 < Math.max(150, duration / 2), `${delay.max / 1e6} of ${duration} ms`)
  })
})
