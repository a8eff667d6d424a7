import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import type { GalleryPhoto } from '@glasses-cloud/contract'
import { browserMissing, startBrowser } from '../support/browser.ts'
import { ffmpegMissing, probe } from '../support/media.ts'
import { connectCameraGlasses, StreamApp } from '../support/stream-rig.ts'
import { spawnCloud } from '../support/test-cloud.ts'
import { waitFor } from '../support/wait-for.ts'

/** What a publisher sends. */
interface Encoding {
  readonly width: number
  /** In hertz; undefined: no audio. */
  readonly sampleRate?: number
}

/** Publishes a test picture in real time until it is killed. */
function publish(t: TestContext, url: string, { width, sampleRate }: Encoding): ChildProcess {
  const picture = ['-re', '-f', 'lavfi', '-i', `testsrc2=size=${width}x${(width * 9) / 16}:rate=10`]
  const tone = sampleRate === undefined ? [] : ['-re', '-f', 'lavfi', '-i', `sine=sample_rate=${sampleRate}`]
  const encoder = [
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-pix_fmt',
    'yuv420p',
    '-g',
    '10',
    '-c:a',
    'aac',
  ]
  const args = ['-v', 'quiet', '-nostdin', ...picture, ...tone, ...encoder, '-f', 'flv', url]
  const child = spawn('ffmpeg', args, { stdio: 'ignore' })
  t.after(() => child.kill('SIGKILL'))
  return child
}

/** The sequence number and the discontinuity sequence of each segment of a media playlist. */
function segmentsOf(playlist: string): ReadonlyMap<string, string> {
  const numberOf = (tag: string) => Number(new RegExp(`^#EXT-X-${tag}:(\\d+)`, 'm').exec(playlist)?.[1] ?? 0)
  let [sequence, discontinuity] = [numberOf('MEDIA-SEQUENCE'), numberOf('DISCONTINUITY-SEQUENCE')]
  const segments = new Map<string, string>()
  for (const line of playlist.split('\n')) {
    if (line === '#EXT-X-DISCONTINUITY') discontinuity += 1
    if (!line.endsWith('.m4s')) continue
    segments.set(line, `${sequence} ${discontinuity}`)
    sequence += 1
  }
  return segments
}

describe('a publisher that returns with another encoding', { skip: ffmpegMissing || browserMissing }, () => {
  test('STR-132 STR-133 STR-134: players play on, and each encoding is a recording', async (t) => {
    const env = { STREAM_PROVIDER: 'local', RTMP_PORT: '0', RECORD_STREAMS: 'true' }
    const cloud = await spawnCloud(t, { env })
    const email = 'changing@example.com'
    const glasses = await connectCameraGlasses(t, cloud, email, { streaming: { kind: 'stream' } })
    const socket = await (await StreamApp.serve(t, cloud, 'com.changing')).start(email)
    socket.send({ type: 'managed_stream_request' })
    const { rtmpUrl } = await glasses.waitForMessage('start_rtmp_stream')
    let publisher = publish(t, String(rtmpUrl), { width: 160, sampleRate: 44_100 })
    const { hlsUrl, previewUrl } = await socket.waitForManagedStatus('active')

    const page = await (await startBrowser(t)).newPage()
    const requested: string[] = []
    page.on('request', (request) => requested.push(request.url()))
    const known = new Map<string, string>()
    page.on('response', async (response) => {
      if (!/media_\d\.m3u8$/.test(response.url())) return
      for (const [uri, numbers] of segmentsOf(await response.text().catch(() => '')))
        known.set(`${uri} ${numbers}`, uri)
    })
    await page.goto(String(previewUrl))
    const video = async (property: string) =>
      Number(await page.evaluate(`document.querySelector('video').${property}`))
    await waitFor('the video plays', async () => (await video('currentTime')) > 1)

    const changes: Encoding[] = [
      { width: 320, sampleRate: 48_000 },
      // Without audio, which players would wait for.
      { width: 320 },
      { width: 160, sampleRate: 44_100 },
      { width: 160, sampleRate: 44_100 },
    ]
    for (const encoding of changes) {
      publisher.kill('SIGKILL')
      await once(publisher, 'close')
      publisher = publish(t, String(rtmpUrl), encoding)
      await waitFor(
        `a picture of ${encoding.width}`,
        async () => (await video('videoWidth')) === encoding.width,
      )
      const start = await video('currentTime')
      await waitFor('the video goes on', async () => (await video('currentTime')) > start + 3)
    }
    assert.equal(requested.filter((url) => url.endsWith('master.m3u8')).length, 1, 'the player plays on')
    const playlist = await (await fetch(String(hlsUrl).replace('master', 'media_0'))).text()
    assert.doesNotMatch(playlist, /ENDLIST/)
    assert.equal(known.size, new Set(known.values()).size, 'no segment has another number later')
    assert.deepEqual(
      new Set([...known.keys()].map((key) => key.split(' ').at(-1))),
      new Set(['0', '1', '2']),
      'three encodings',
    )

    socket.send({ type: 'managed_stream_stop' })
    const token = await cloud.token(email)
    const recordings = await waitFor('a recording of each encoding', async () => {
      const path = '/api/gallery?type=video'
      const { body } = await cloud.request<{ photos: GalleryPhoto[] }>('GET', path, { token })
      return body.photos.length === 3 && body.photos
    })
    const folder = await mkdtemp(join(tmpdir(), 'changes-'))
    t.after(() => rm(folder, { recursive: true, force: true }))
    const widths = []
    for (const { _id } of recordings.toReversed()) {
      const file = await fetch(`${cloud.url}/api/gallery/${_id}/file`, {
        headers: { authorization: `Bearer ${token}` },
      })
      const path = join(folder, `${_id}.mp4`)
      await writeFile(path, await file.bytes())
      const { streams, packets } = await probe(path)
      const times = packets
        .filter(({ codec_type }) => codec_type === 'video')
        .map(({ dts_time }) => Number(dts_time))
      assert.deepEqual(
        times,
        times.toSorted((one, other) => one - other),
      )
      widths.push(streams.find(({ width }) => width !== undefined)?.width)
    }
    assert.deepEqual(widths, [160, 320, 160])
  })
})
