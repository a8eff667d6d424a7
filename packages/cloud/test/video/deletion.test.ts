import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import pino from 'pino'
import { Feed } from '../../src/features/video/local/feed.ts'
import { Recordings } from '../../src/features/video/local/recordings.ts'
import {
  CLOUDFLARE_ACCOUNT,
  CLOUDFLARE_TOKEN,
  FakeCloudflare,
} from '../../src/features/video/testing/fake-cloudflare.ts'
import { systemClock } from '../../src/time/index.ts'
import { deleteAccount } from '../support/deletion-client.ts'
import { galleryOf } from '../support/photo-app.ts'
import { connectCameraGlasses, StreamApp } from '../support/stream-rig.ts'
import { type LocalCloud, startCloud } from '../support/test-cloud.ts'
import { waitFor } from '../support/wait-for.ts'

const ada = 'ada@example.com'

/** Records its input in the file of the last argument, and writes an index in a second. */
const RECORDER = `#!/bin/sh
for last; do :; done
case "$*" in
  *faststart*) sleep 1; echo video > "$last" ;;
  *) cat > "$last" ;;
esac
`

/** Starts a cloud and records a feed of a user. */
async function startRecording(t: TestContext) {
  const cloud = await startCloud(t)
  const token = await cloud.token(ada)
  const folder = await mkdtemp(join(tmpdir(), 'recordings-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const program = join(folder, 'ffmpeg')
  await writeFile(program, RECORDER, { mode: 0o700 })
  const user = await cloud.operator.users.findByEmail(ada)
  assert.ok(user)
  const recordings = new Recordings({
    gallery: cloud.cloud.features.gallery.gallery,
    program,
    folder: join(folder, 'recordings'),
    diskReserveBytes: 0,
    clock: systemClock,
    log: pino({ level: 'silent' }),
    isAlive: () => false,
  })
  await recordings.open()
  const feed = new Feed(systemClock, { onTracks: () => {} })
  const recorder = recordings.recorder(user.id, 'input', feed)
  recorder.start({ audio: false, video: true })
  feed.push({ kind: 'video-header', timestamp: 0, data: Buffer.alloc(50) })
  feed.push({ kind: 'keyframe', timestamp: 0, data: Buffer.alloc(10_000) })
  const files = () => readdir(join(folder, 'recordings'))
  await waitFor('the recording begins', async () => (await files()).length > 0)
  return { cloud, token, userId: user.id, folder: join(folder, 'recordings'), recordings, recorder, files }
}

describe('recordings of a deleted user', () => {
  test('STR-127: a recording under way ends with its user, and leaves no file', async (t) => {
    const { cloud, token, recorder, recordings, files } = await startRecording(t)
    assert.equal((await deleteAccount(cloud, token)).status, 200)
    assert.deepEqual(await files(), [])
    await recorder.stop()
    await recordings.idle()
    assert.deepEqual(await files(), [])
  })

  test('STR-127: so does one that is being added to the gallery', async (t) => {
    const { cloud, token, recorder, recordings, files } = await startRecording(t)
    await recorder.stop()
    assert.equal((await deleteAccount(cloud, token)).status, 200)
    assert.deepEqual(await files(), [])
    await recordings.idle()
    for await (const { key } of cloud.cloud.blobs.list('')) assert.fail(key)
  })

  test('STR-127: one that a process left behind is removed, not retried', async (t) => {
    const { cloud, token, userId, folder, recorder, recordings, files } = await startRecording(t)
    await recorder.stop()
    await recordings.idle()
    assert.equal((await galleryOf(cloud, token, '?type=video')).length, 1)
    assert.equal((await deleteAccount(cloud, token)).status, 200)
    await writeFile(join(folder, `${userId}~input~1~1.mp4`), 'video')
    await recordings.open()
    await recordings.idle()
    assert.deepEqual(await files(), [])
  })
})

describe('recordings at Cloudflare', () => {
  async function startStream(t: TestContext) {
    const fake = await FakeCloudflare.start(t)
    const cloud = await startCloud(t, {
      env: {
        STREAM_PROVIDER: 'cloudflare',
        CLOUDFLARE_ACCOUNT_ID: CLOUDFLARE_ACCOUNT,
        CLOUDFLARE_API_TOKEN: CLOUDFLARE_TOKEN,
        CLOUDFLARE_API_URL: `${fake.server.url}/client/v4`,
        RECORD_STREAMS: 'true',
      },
    })
    await connectCameraGlasses(t, cloud, ada)
    const app = await StreamApp.serve(t, cloud, 'com.cloudflare')
    const socket = await app.start(ada)
    socket.send({ type: 'managed_stream_request' })
    const inputId = await waitFor('the input is created', () => [...fake.inputs.keys()][0])
    fake.goLive(inputId)
    await socket.waitForManagedStatus('active')
    return { fake, cloud, token: await cloud.token(ada), socket }
  }

  const exported = async ({ cloud }: LocalCloud) => {
    const user = await cloud.users.findByEmail(ada)
    const section = cloud.features.personalData.exportSections.find(({ name }) => name === 'streamRecordings')
    assert.ok(user && section)
    const facts: unknown[] = []
    for await (const { key, value } of section.facts(user, 'json')) facts.push([key, value])
    return facts
  }

  test('STR-122 EXP-13 DEL-14: a kept video is exported, and deleted with its user', async (t) => {
    const { fake, cloud, token, socket } = await startStream(t)
    socket.send({ type: 'managed_stream_stop' })
    await waitFor('the input is deleted', () => fake.inputs.size === 0)
    const [video = ''] = fake.videos
    assert.deepEqual(await exported(cloud), [
      [
        video,
        {
          provider: 'cloudflare',
          url: `https://customer-abc.cloudflarestream.com/${video}/manifest/video.m3u8`,
        },
      ],
    ])
    fake.server.faults.push({ answer: { status: 403 } })
    assert.equal((await deleteAccount(cloud, token)).status, 500)
    assert.equal(fake.videos.size, 1)
    await cloud.cloud.features.personalData.deletions.start()
    await cloud.cloud.features.personalData.deletions.idle()
    assert.equal(fake.videos.size, 0)
    assert.equal(await cloud.cloud.users.findByEmail(ada), undefined)
  })

  test('DEL-14: a stream that is live leaves neither input nor video', async (t) => {
    const { fake, cloud, token } = await startStream(t)
    assert.equal((await deleteAccount(cloud, token)).status, 200)
    assert.deepEqual([fake.inputs.size, fake.videos.size], [0, 0])
    assert.deepEqual(await cloud.cloud.db.selectFrom('stream_inputs').selectAll().execute(), [])
  })
})
