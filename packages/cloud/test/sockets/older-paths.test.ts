import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { before, describe, test } from 'node:test'
import { suiteScope } from '../support/scope.ts'
import { type LocalCloud, startCloud } from '../support/test-cloud.ts'
import { withTimeout } from '../support/wait-for.ts'

type Fields = Readonly<Record<string, unknown>>

/** A minimal MP4 file. */
const VIDEO = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypmp42'), Buffer.alloc(100, 7)])

describe('older paths', () => {
  const scope = suiteScope()
  let cloud: LocalCloud
  let token: string

  before(async () => {
    cloud = await startCloud(scope)
    token = await cloud.token('me@example.org')
    await cloud.registerApp({ packageName: 'some.app', onboardingInstructions: 'Say hello' })
  })

  test('CMP-20: uninstall, instructions and user discovery', async () => {
    await cloud.request('POST', '/api/apps/install/some.app', { token })
    for (const [path, status] of [
      ['/apps/some.app/uninstall', 200],
      ['/api/apps/some.app/uninstall', 400],
    ] as const)
      assert.equal((await cloud.request('POST', path, { token })).status, status)
    const instructions = await cloud.request<Fields>('GET', '/api/instructions?packageName=some.app')
    assert.equal(instructions.body.instructions, 'Say hello')
    const { apiKey } = await cloud.registerApp({ packageName: 'finder.app' })
    const found = await cloud.request<Fields>('POST', '/api/tpa-communication/discover-users', {
      headers: { authorization: `Bearer ${apiKey}` },
      body: { packageName: 'finder.app' },
    })
    assert.deepEqual([found.status, found.body.totalUsers], [200, 0])
  })

  test('CMP-21: apps and organizations at each older path', async () => {
    const manifest = { packageName: 'made.by.cli', name: 'Made', publicUrl: 'https://made.example.org' }
    const created = await cloud.request<Fields>('POST', '/api/dev/apps/register', { token, body: manifest })
    assert.ok(created.status < 300, JSON.stringify(created.body))
    const lists = await Promise.all(
      ['console', 'cli', 'dev'].map((prefix) =>
        cloud.request<Fields>('GET', `/api/${prefix}/apps`, { token }),
      ),
    )
    const [first] = lists
    assert.match(JSON.stringify(first?.body), /made\.by\.cli/)
    for (const { status, body } of lists) assert.deepEqual([status, body], [200, first?.body])
    for (const prefix of ['console', 'cli', 'dev']) {
      const key = await cloud.request('POST', `/api/${prefix}/apps/made.by.cli/api-key`, { token })
      assert.match(JSON.stringify(key.body), /gck_/, prefix)
    }
    const organizations = await Promise.all(
      ['/api/console/orgs', '/api/cli/orgs', '/api/orgs'].map((path) =>
        cloud.request('GET', path, { token }),
      ),
    )
    for (const { status, body } of organizations)
      assert.deepEqual([status, body], [200, organizations[0]?.body])
  })

  test('CMP-22: other paths of older developer APIs return 410 with a sentence', async () => {
    const paths = ['/api/dev/auth/me', '/api/cli/keys', '/api/orgs/x/y/z', '/api/dev']
    for (const path of paths) {
      const { status, body } = await cloud.request<Fields>('GET', path, { token })
      assert.equal(status, 410, path)
      assert.match(JSON.stringify(body), /developer API is at \/api\/console/)
    }
    assert.equal((await cloud.request('GET', '/api/device', { token })).status, 404)
  })

  /** Sends a form as the firmware does. */
  async function upload(field: string, content: Uint8Array<ArrayBuffer>, requestId?: string) {
    const form = new FormData()
    if (requestId !== undefined) form.set('requestId', requestId)
    form.set(field, new Blob([content]), 'video.mp4')
    const response = await fetch(`${cloud.url}/api/videos/upload`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: form,
    })
    return { status: response.status, body: (await response.json()) as Fields }
  }

  test('CMP-23: a video of the glasses is stored in the gallery', async () => {
    const stored = await upload('video', VIDEO, 'vid-1')
    assert.deepEqual([stored.status, stored.body], [200, { success: true, requestId: 'vid-1' }])
    const path = '/api/gallery?type=video'
    const { photos } = (await cloud.request<{ photos: Fields[] }>('GET', path, { token })).body
    const [photo] = photos
    const { mimeType, size, metadata } = photo ?? {}
    assert.deepEqual([mimeType, size], ['video/mp4', VIDEO.byteLength])
    assert.deepEqual(metadata, { requestId: 'vid-1', origin: 'glasses' })
    const file = await fetch(`${cloud.url}/api/gallery/${photo?._id}/file`, {
      headers: { authorization: `Bearer ${token}` },
    })
    assert.deepEqual(Buffer.from(await file.arrayBuffer()), VIDEO)
  })

  test('CMP-23: a video that arrives in small pieces', async () => {
    const request = httpRequest(`${cloud.url}/api/videos/upload`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'multipart/form-data; boundary=b' },
    })
    const pieces = [
      '--b\r\ncontent-disposition: form-data; name="video"; filename="v.mp4"\r\n\r\n',
      ...[VIDEO.subarray(0, 4), VIDEO.subarray(4, 6), VIDEO.subarray(6)],
      '\r\n--b--\r\n',
    ]
    const response = once(request, 'response')
    for (const piece of pieces) {
      await new Promise((sent) => request.write(piece, sent))
      // By the response to another request the piece has been read.
      await cloud.request('GET', '/api/gallery', { token })
    }
    request.end()
    const [{ statusCode }] = await withTimeout(10_000, response, 'no response to a video')
    assert.equal(statusCode, 200)
  })

  test('CMP-23: anything else is rejected and stores nothing', async () => {
    const before = await cloud.request('GET', '/api/gallery?type=all', { token })
    assert.equal((await upload('video', Buffer.from('not a video at all'))).status, 415)
    assert.equal((await upload('other', VIDEO)).status, 400)
    assert.equal((await upload('video', Buffer.alloc(0))).status, 415)
    assert.deepEqual((await cloud.request('GET', '/api/gallery?type=all', { token })).body, before.body)
  })
})
