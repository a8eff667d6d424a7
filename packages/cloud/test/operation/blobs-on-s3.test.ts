import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { describe, type TestContext, test } from 'node:test'
import { S3Server } from '../../src/blobs/testing/s3-server.ts'
import { deleteAccount } from '../support/deletion-client.ts'
import { exportData, signIn } from '../support/personal-data-clients.ts'
import { image, upload } from '../support/photo-app.ts'
import { type LocalCloud, startCloud } from '../support/test-cloud.ts'

const ada = 'ada@example.com'

describe('blobs on S3', () => {
  test('STO-84: a photo, an export and an attachment', async (t) => {
    const { server, cloud } = await start(t)
    const token = await cloud.token(ada)
    const { body } = await uploadPhoto(cloud, token)
    const path = body.photoUrl.slice(cloud.url.length)
    const photo = await fetch(cloud.url + path, {
      headers: { authorization: `Bearer ${token}`, range: 'bytes=0-9' },
    })
    assert.deepEqual([photo.status, photo.headers.get('content-range')], [206, 'bytes 0-9/5000'])
    assert.deepEqual(Buffer.from(await photo.arrayBuffer()), image.jpeg(5_000).subarray(0, 10))
    const id = await exportData(cloud, ada, 'json')
    const { download } = await signIn(cloud)
    assert.equal((await download<{ exportId: string }>(id)).body.exportId, id)
    const incident = await cloud.request<{ incidentId: string }>('POST', '/api/incidents', {
      token,
      body: { feedback: 'broken' },
    })
    const form = new FormData()
    form.append('files', new Blob(['seen']), 'note.txt')
    const attached = await fetch(`${cloud.url}/api/incidents/${incident.body.incidentId}/attachments`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: form,
    })
    assert.equal(attached.status, 200)
    await attached.body?.cancel()
    const folders = [...server.objects.keys()].map((key) => key.split('/')[0])
    assert.deepEqual(folders.sort(), ['exports', 'incidents', 'photos'])
    assert.deepEqual((await readdir(String(cloud.env.DATA_DIR))).includes('blobs'), false)
    assert.equal((await deleteAccount(cloud, token)).status, 200)
    assert.equal(server.objects.size, 0)
  })

  test('STO-84: while S3 is away, what needs a blob fails without a trace and all else works', async (t) => {
    const { server, cloud } = await start(t)
    const token = await cloud.token(ada)
    const { body } = await uploadPhoto(cloud, token)
    const file = body.photoUrl.slice(cloud.url.length)
    const { port } = server
    await server.close()
    assert.equal((await uploadPhoto(cloud, token)).status, 500)
    assert.equal((await cloud.request('GET', file, { token })).status, 500)
    assert.equal((await cloud.request('GET', '/readyz')).status, 200)
    const gallery = () => cloud.request<{ photos: unknown[] }>('GET', '/api/gallery', { token })
    assert.equal((await gallery()).body.photos.length, 1)
    const logged = cloud.logged.map(({ err }) => String((err as { message?: unknown })?.message))
    assert.ok(logged.some((message) => message.includes(`127.0.0.1:${port} does not respond (ECONNREFUSED)`)))
    await server.listen(port)
    assert.equal((await cloud.request('GET', file, { token })).status, 200)
    assert.equal((await uploadPhoto(cloud, token)).status, 200)
    assert.equal((await gallery()).body.photos.length, 2)
    assert.equal(server.objects.size, 2)
  })
})

async function start(t: TestContext): Promise<{ server: S3Server; cloud: LocalCloud }> {
  const server = await S3Server.start()
  t.after(() => server.close())
  const cloud = await startCloud(t, { env: { ...server.env, LOG_LEVEL: 'warn' } })
  return { server, cloud }
}

let uploads = 0

function uploadPhoto(cloud: LocalCloud, token: string) {
  return upload<{ photoUrl: string }>(cloud, token, [
    ['requestId', `r${uploads++}`],
    ['photo', image.jpeg(5_000)],
  ])
}
