import assert from 'node:assert/strict'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, type TestContext, test } from 'node:test'
import { openFolderBlobStore } from '../../src/blobs/folder-blob-store.ts'
import { image, upload } from '../support/photo-app.ts'
import { type LocalCloud, startCloud } from '../support/test-cloud.ts'

const ada = 'ada@example.com'
const eve = 'eve@example.com'

/** Sends a request and returns the raw response. */
async function raw(cloud: LocalCloud, path: string, headers: Record<string, string>, method = 'GET') {
  const response = await fetch(cloud.url + path, { method, headers, signal: AbortSignal.timeout(20_000) })
  return {
    status: response.status,
    headers: response.headers,
    bytes: Buffer.from(await response.arrayBuffer()),
  }
}
describe('gallery files', () => {
  const content = image.jpeg(10_000).map((byte, at) => (at < 4 ? byte : at % 251))

  async function withFile(t: TestContext) {
    const cloud = await startCloud(t)
    const token = await cloud.token(ada)
    const { body } = await upload<{ photoUrl: string }>(cloud, token, [
      ['requestId', 'r1'],
      ['photo', Buffer.from(content)],
    ])
    const path = body.photoUrl.slice(cloud.url.length)
    const get = (headers: Record<string, string> = {}, method?: string) =>
      raw(cloud, path, { authorization: `Bearer ${token}`, ...headers }, method)
    return { cloud, token, path, get }
  }

  test('GAL-9: the owner downloads the whole file with its content type', async (t) => {
    const { cloud, get, path } = await withFile(t)
    const { status, headers, bytes } = await get()
    assert.equal(status, 200)
    assert.ok(bytes.equals(Buffer.from(content)))
    assert.equal(headers.get('content-type'), 'image/jpeg')
    assert.equal(headers.get('content-length'), '10000')
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.equal(headers.get('accept-ranges'), 'bytes')
    assert.equal(headers.get('cache-control'), 'private, no-cache')
    assert.match(headers.get('content-disposition') ?? '', /^inline; filename="[0-9a-z]+\.jpg"$/)
    const head = await get({}, 'HEAD')
    assert.deepEqual([head.status, head.headers.get('content-length'), head.bytes.length], [200, '10000', 0])
    const stranger = await cloud.request('GET', path, { token: await cloud.token(eve) })
    assert.deepEqual([stranger.status, stranger.body], [404, { error: 'Photo not found' }])
  })

  test('GAL-10: a matching If-None-Match returns 304', async (t) => {
    const { get } = await withFile(t)
    const etag = (await get()).headers.get('etag') ?? ''
    assert.match(etag, /^"[0-9a-z]+"$/)
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const { status, bytes } = await get({ 'if-none-match': known })
      assert.deepEqual([status, bytes.length], [304, 0], known)
    }
    assert.equal((await get({ 'if-none-match': '"other"' })).status, 200)
  })

  test('GAL-11: valid, invalid and unsatisfiable ranges', async (t) => {
    const { get } = await withFile(t)
    const etag = (await get()).headers.get('etag') ?? ''
    for (const [range, start, end] of [
      ['bytes=0-99', 0, 99],
      ['bytes=9000-', 9_000, 9_999],
      ['bytes=-10', 9_990, 9_999],
      ['bytes=9990-20000', 9_990, 9_999],
      ['bytes=-20000', 0, 9_999],
    ] as const) {
      const { status, headers, bytes } = await get({ range, 'if-range': etag })
      assert.equal(status, 206, range)
      assert.equal(headers.get('content-range'), `bytes ${start}-${end}/10000`)
      assert.equal(headers.get('content-length'), String(end - start + 1))
      assert.ok(bytes.equals(Buffer.from(content).subarray(start, end + 1)), range)
    }
    for (const range of ['bytes=0-1,5-6', 'bytes=5-2', 'bytes=-', 'bytes=x-1', 'items=0-1', 'bytes'])
      assert.deepEqual([(await get({ range })).status, range], [200, range])
    assert.equal((await get({ range: 'bytes=0-9', 'if-range': '"old"' })).status, 200)
    for (const range of ['bytes=10000-', 'bytes=-0']) {
      const { status, headers, bytes } = await get({ range })
      assert.deepEqual([status, headers.get('content-range')], [416, 'bytes */10000'], range)
      assert.deepEqual(JSON.parse(bytes.toString()), { error: 'The range is outside the file' })
    }
  })

  test('GAL-11: a download aborted half-way does not affect later ones', async (t) => {
    const { cloud, token, path, get } = await withFile(t)
    const call = httpRequest(cloud.url + path, { headers: { authorization: `Bearer ${token}` } })
    call.end()
    const [response] = await once(call, 'response')
    response.destroy()
    await once(response, 'close')
    assert.equal((await get()).status, 200)
  })

  test('GAL-14: a photo whose blob is missing returns 404 and is logged', async (t) => {
    const cloud = await startCloud(t, { env: { LOG_LEVEL: 'error' } })
    const token = await cloud.token(ada)
    const { body } = await upload<{ photoUrl: string }>(cloud, token, [
      ['requestId', 'r1'],
      ['photo', image.jpeg()],
    ])
    await rm(join(cloud.env.DATA_DIR ?? '', 'blobs', 'photos'), { recursive: true })
    const { status } = await cloud.request('GET', body.photoUrl.slice(cloud.url.length), { token })
    assert.equal(status, 404)
    assert.equal(
      cloud.logged.filter(({ msg }) => msg === 'gallery: the file of a photo is missing').length,
      1,
    )
  })

  test('GAL-7: blobs of interrupted uploads are removed after an hour', async (t) => {
    const first = await withFile(t)
    await first.cloud.stop()
    const folder = first.cloud.env.DATA_DIR ?? ''
    const blobs = await openFolderBlobStore(join(folder, 'blobs'))
    const old = (Date.now() - 2 * 60 * 60 * 1000).toString(36)
    const young = Date.now().toString(36)
    for (const time of [old, young])
      await blobs.put(`photos/u1/${time.padStart(9, '0')}abc`, Readable.from([Buffer.from('x')]))
    const { cloud } = await startCloud(t, { env: { DATA_DIR: folder } })
    await cloud.features.gallery.gallery.sweep()
    const left: string[] = []
    for await (const { key } of blobs.list('photos/')) left.push(key)
    assert.equal(left.length, 2)
    assert.ok(left.some((key) => key.includes(young)))
    assert.ok(!left.some((key) => key.includes(old)))
  })
})
