import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import type { GalleryPhoto } from '@glasses-cloud/contract'
import { type Glasses, PhoneApi } from '@glasses-cloud/phone'
import { findFreePort } from '../../src/http/free-port.ts'
import { ffmpegMissing, longestGap, probe, RtmpListener, run, tinyPicture } from '../support/media.ts'
import { type Scope, suiteScope } from '../support/scope.ts'
import { SdkApp } from '../support/sdk-app.ts'
import { connectCameraGlasses, type OutputsResponse, StreamApp } from '../support/stream-rig.ts'
import { type LocalCloud, spawnCloud, startCloud, type TestCloud } from '../support/test-cloud.ts'
import { waitFor } from '../support/wait-for.ts'

const LOCAL = { STREAM_PROVIDER: 'local', RTMP_PORT: '0', LOG_LEVEL: 'trace' }

/** Reads two seconds of a live stream. */
const BRIEFLY = ['-read_intervals', '%+2']

/** The files of the streams of a cloud. */
async function streamFiles(cloud: TestCloud): Promise<string[]> {
  const folder = join(String(cloud.env.DATA_DIR), 'streams')
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}

/** Reads the outputs of a stream with the key of an app. */
function outputsOf(cloud: TestCloud, packageName: string, apiKey: string) {
  const headers = { 'x-api-key': apiKey, 'x-package-name': packageName }
  return async (method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown) =>
    cloud.request<OutputsResponse>(method, `/api/streams/${path}`, { headers, body })
}

/** The URL that the glasses publish to. */
function ingestUrlOf(glasses: Glasses): string {
  return String(glasses.messages('start_rtmp_stream').at(-1)?.rtmpUrl)
}

describe('streaming on this machine', { skip: ffmpegMissing }, () => {
  const scope = suiteScope()
  let cloud: LocalCloud
  before(async () => {
    cloud = await startCloud(scope, { env: LOCAL })
  })

  /** One broadcast of an SDK app to two RTMP servers, which the tests use in their order. */
  describe('a broadcast', () => {
    const broadcast = suiteScope()
    let one: RtmpListener
    let two: RtmpListener
    let app: SdkApp
    let outputs: ReturnType<typeof outputsOf>
    let glasses: Glasses
    let hlsUrl = ''
    let dashUrl = ''
    let streamId: string
    let streamKey: string
    const list = async () => (await outputs('GET', `${streamId}/outputs`)).body.outputs ?? []
    const statuses = async () => (await list()).map(({ status }) => status).join()

    before(async () => {
      one = await RtmpListener.start(broadcast, 'key-one')
      two = await RtmpListener.start(broadcast, 'key-two')
      const env = { RESTREAM_URLS: `${one.url},${two.url}` }
      ;({ app, outputs } = await startBroadcast(broadcast, cloud, env))
      glasses = await startWearer(broadcast, cloud, 'wearer@example.com')
      glasses.pressButton('camera', 'short')
      ;[, hlsUrl = '', dashUrl = ''] = /live at (\S+) and (\S+)/.exec(await app.waitForLine(/live at/)) ?? []
      streamId = String(glasses.streaming.streamId)
      streamKey = String(ingestUrlOf(glasses).split('/').at(-1))
    })

    test('STR-100: HLS and DASH', async () => {
      for (const url of [hlsUrl, dashUrl]) {
        const { streams, packets } = await probe(url, BRIEFLY)
        assert.deepEqual(streams.map(({ codec_name }) => codec_name).sort(), ['aac', 'h264'])
        assert.ok(packets.length > 10)
      }
    })

    test('STR-105: stream keys in command lines', async () => {
      await waitFor('both outputs are active', async () => (await statuses()) === 'active,active')
      const commandLines = (await mediaProcesses()).map(({ commandLine }) => commandLine)
      assert.ok(commandLines.length >= 5)
      for (const line of commandLines.filter((text) => !text.includes('-listen')))
        for (const secret of ['key-one', 'key-two', streamKey]) assert.ok(!line.includes(secret), line)
    })

    test('STR-101 STR-102: a server that is killed and restarted', async () => {
      await one.kill()
      const failed = await waitFor('the first output fails and is retried', async () =>
        (await list()).find(({ status, retries = 0 }) => status === 'error' && retries > 0),
      )
      assert.match(String(failed.error), /^The target (refused|closed) the connection$/)
      await app.waitForLine(/127\.0\.0\.1: error/)
      one.restart()
      await waitFor('the first output is active again', async () => (await statuses()) === 'active,active')
    })

    test('STR-103: outputs added, removed, and one too many', async (t) => {
      const three = await RtmpListener.start(t, 'key-three')
      const added = await outputs('POST', `${streamId}/outputs`, { url: three.url, name: 'third' })
      await waitFor(
        'an output is added while live',
        async () => (await statuses()) === 'active,active,active',
      )
      assert.equal((await outputs('DELETE', `${streamId}/outputs/${added.body.outputId}`)).status, 200)
      await three.ended()
      assert.ok((await probe(three.file)).packets.length > 0)

      const closedPort = await findFreePort()
      for (let count = 3; count <= 10; count += 1)
        await outputs('POST', `${streamId}/outputs`, { url: `rtmp://127.0.0.1:${closedPort}/live/${count}` })
      const eleventh = await outputs('POST', `${streamId}/outputs`, {
        url: `rtmp://127.0.0.1:${closedPort}/live/11`,
      })
      assert.deepEqual([eleventh.status, eleventh.body.error], [409, 'MAX_OUTPUTS_REACHED'])
      await waitFor(
        'outputs to a closed port fail',
        async () => (await statuses()).split('error').length === 9,
      )
      assert.ok((await list()).slice(2).every(({ error }) => error === 'The target refused the connection'))
    })

    test('STR-101 STR-104 STR-105: what remains after the stream', async () => {
      glasses.pressButton('camera', 'short')
      await app.waitForLine(/stream stopped/)
      await Promise.all([one.ended(), two.ended()])
      await waitFor('no process remains', async () => (await mediaProcesses()).length === 0)
      await waitFor('no file remains', async () => (await streamFiles(cloud)).length === 0)
      assert.equal((await fetch(hlsUrl)).status, 404)
      assert.notEqual((await publish(ingestUrlOf(glasses))).code, 0)
      const received = await probe(two.file)
      assert.deepEqual(received.streams.map(({ codec_name }) => codec_name).sort(), ['aac', 'h264'])
      assert.ok(longestGap(received) < 0.35, `a gap of ${longestGap(received)} s`)
      assert.ok((await probe(one.file)).packets.length > 0)
      const log = JSON.stringify(cloud.logged)
      for (const secret of ['key-one', 'key-two', 'key-three', streamKey]) assert.ok(!log.includes(secret))
    })
  })

  test('STR-106: a feed that drops, with an output', async (t) => {
    const email = 'walker@example.com'
    const listener = await RtmpListener.start(t, 'key')
    const app = await StreamApp.serve(t, cloud, 'com.walker')
    const glasses = await connectCameraGlasses(t, cloud, email, { streaming: tinyPicture })
    const socket = await app.start(email)
    socket.send({ type: 'managed_stream_request', restreamDestinations: [{ url: listener.url }] })
    const { hlsUrl, streamId } = await socket.waitForManagedStatus('active')
    const isActive = async () =>
      (await app.outputs('GET', `${streamId}/outputs`)).body.outputs?.every(
        ({ status }) => status === 'active',
      )
    await waitFor('the output is active', isActive)
    const lastSegment = async () =>
      Number(
        /(\d+)\.m4s\s*$/.exec(await (await fetch(String(hlsUrl).replace('master', 'media_0'))).text())?.[1],
      )
    glasses.streaming.interrupt()
    await socket.waitForManagedStatus('initializing')
    const before = await lastSegment()
    await socket.waitForMessage('managed_stream_status', ({ status, timestamp }) => {
      const interrupted = socket.messages.findLast((message) => message.status === 'initializing')
      return status === 'active' && String(timestamp) > String(interrupted?.timestamp)
    })
    await waitFor('segments follow', async () => (await lastSegment()) > before + 1)
    assert.equal(await isActive(), true)
    socket.send({ type: 'managed_stream_stop' })
    await listener.ended()
    // The pause is part of the timeline, and the timeline never goes back.
    const times = (await probe(listener.file)).packets
      .filter(({ codec_type }) => codec_type === 'video')
      .map(({ dts_time }) => Number(dts_time))
    assert.deepEqual(
      times,
      times.toSorted((one, other) => one - other),
    )
    await waitFor('no process remains', async () => (await mediaProcesses()).length === 0)
  })

  test('STR-107: the ingest accepts publishers with a stream key, and nothing else', async (t) => {
    const glasses = await connectCameraGlasses(t, cloud, 'guard@example.com', { streaming: tinyPicture })
    const socket = await (await StreamApp.serve(t, cloud, 'com.guard')).start('guard@example.com')
    await socket.startManagedStream()
    const ingestUrl = ingestUrlOf(glasses)
    assert.notEqual((await publish(`${ingestUrl}x`)).code, 0)
    await assert.rejects(probe(ingestUrl, BRIEFLY), /ffprobe cannot read/)
    const { hostname, port } = new URL(ingestUrl)
    for (const bytes of [Buffer.alloc(20_000, 3), hostileChunks]) {
      const intruder = connect({ host: hostname, port: Number(port) })
      intruder.on('error', () => {})
      intruder.write(bytes)
      // Sooner than clients are disconnected that never name a key.
      await once(intruder.resume(), 'close', { signal: AbortSignal.timeout(20_000) })
    }
    assert.equal(glasses.streaming.streamId !== undefined, true)
    socket.send({ type: 'managed_stream_stop' })
    await waitFor('no process remains', async () => (await mediaProcesses()).length === 0)
  })
})

describe('streaming on this machine after a crash', { skip: ffmpegMissing }, () => {
  test('STR-111 STR-116: a cloud that is killed while it records', async (t) => {
    const email = 'crash@example.com'
    const env = { STREAM_PROVIDER: 'local', RTMP_PORT: '0', RECORD_STREAMS: 'true' }
    const cloud = await spawnCloud(t, { env, from: 'sources' })
    const glasses = await connectCameraGlasses(t, cloud, email, { streaming: tinyPicture })
    const listener = await RtmpListener.start(t, 'key')
    const app = await StreamApp.serve(t, cloud, 'com.crash')
    const socket = await app.start(email)
    socket.send({ type: 'managed_stream_request', restreamDestinations: [{ url: listener.url }] })
    const { streamId } = await socket.waitForManagedStatus('active')
    await waitFor('the output is active', async () => {
      const { body } = await app.outputs('GET', `${streamId}/outputs`)
      return body.outputs?.[0]?.status === 'active'
    })
    const pid = Number(cloud.process.pid)
    const processes = await mediaProcesses(pid)
    assert.ok(processes.length >= 3)
    await cloud.kill()
    await glasses.disconnect()
    await waitFor('the processes end', () => processes.every((one) => !existsSync(`/proc/${one.pid}`)))
    assert.ok((await streamFiles(cloud)).length > 3)
    const next = await startCloud(t, { env: cloud.env })
    const token = await next.token(email)
    await waitFor('the recording is in the gallery', async () => {
      const { body } = await next.request<{ photos: GalleryPhoto[] }>('GET', '/api/gallery?type=video', {
        token,
      })
      return body.photos[0]?.mimeType === 'video/mp4'
    })
    await waitFor('no file remains', async () => (await streamFiles(cloud)).length === 0)
  })
})

/** A handshake, and a chunk that announces a message of 16 MiB. */
const hostileChunks = Buffer.concat([
  Buffer.from([3]),
  Buffer.alloc(1_536),
  Buffer.alloc(1_536),
  Buffer.from([3, 0, 0, 0, 0xff, 0xff, 0xff, 20, 0, 0, 0, 0, 2]),
])

/** Publishes a second of a test picture. */
function publish(url: string) {
  const input = ['-v', 'error', '-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=10', '-t', '1']
  return run('ffmpeg', [...input, '-c:v', 'libx264', '-preset', 'ultrafast', '-f', 'flv', url])
}

/** Starts the sample app. */
async function startBroadcast(scope: Scope, cloud: TestCloud, env: Record<string, string>) {
  const packageName = 'dev.my-app.broadcast'
  const permissions = [{ type: 'CAMERA' as const }]
  const { app, apiKey } = await SdkApp.register(
    scope,
    cloud,
    'broadcast',
    { packageName, appType: 'BACKGROUND', permissions },
    env,
  )
  return { app, outputs: outputsOf(cloud, packageName, apiKey) }
}

/** Connects glasses that film, and starts the sample app. */
async function startWearer(scope: Scope, cloud: TestCloud, email: string): Promise<Glasses> {
  const glasses = await connectCameraGlasses(scope, cloud, email, { streaming: tinyPicture })
  const phone = new PhoneApi({ url: cloud.url, token: await cloud.token(email) })
  await phone.install('dev.my-app.broadcast')
  await phone.startApp('dev.my-app.broadcast')
  await glasses.waitForDisplay('Press the button', { timeoutMs: 20_000 })
  return glasses
}

/** A running ffmpeg process. */
export interface MediaProcess {
  readonly pid: number
  readonly parent: number
  /** As other accounts see it. */
  readonly commandLine: string
}

/** Returns the running ffmpeg processes of a parent process; of this one by default. */
async function mediaProcesses(parent: number = process.pid): Promise<MediaProcess[]> {
  const found = await Promise.all(
    (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(readProcess),
  )
  return found.filter((one) => one !== undefined).filter((one) => one.parent === parent)
}

async function readProcess(pid: string): Promise<MediaProcess | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
    const [, name, state, parent] = /^\d+ \((.*)\) (\S) (\d+)/.exec(stat) ?? []
    if (name !== 'ffmpeg' || state === 'Z') return undefined
    const commandLine = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ')
    return { pid: Number(pid), parent: Number(parent), commandLine }
  } catch {
    // It ended meanwhile.
    return undefined
  }
}
