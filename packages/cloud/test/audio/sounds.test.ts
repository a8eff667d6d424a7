import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { before, describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { fetchSound } from '../../src/features/phone/sound.ts'
import { createGuardedAgent } from '../../src/webhooks/index.ts'
import { AppSocketRig } from '../support/app-socket-rig.ts'
import { ffmpegMissing } from '../support/media.ts'
import { suiteScope } from '../support/scope.ts'

const SOUND = Buffer.from('RIFF, as far as this test is concerned')

describe('sounds for glasses in a browser', () => {
  const scope = suiteScope()
  const calls: IncomingMessage[] = []
  let respond: RequestListener
  let rig: AppSocketRig
  let started: Awaited<ReturnType<AppSocketRig['startConnectedApp']>>
  let server: string
  let requests = 0

  before(async () => {
    const host = createServer((request, response) => {
      calls.push(request)
      respond(request, response)
    }).listen(0, '127.0.0.1')
    scope.after(() => {
      host.closeAllConnections()
      host.close()
    })
    await once(host, 'listening')
    server = `http://127.0.0.1:${(host.address() as AddressInfo).port}`
    rig = await AppSocketRig.start(scope)
    started = await rig.startConnectedApp(scope)
  })

  /** Makes the app play a sound; returns the `requestId` that the glasses received. */
  async function play(audioUrl: string): Promise<string> {
    requests += 1
    started.app.send({ type: 'audio_play_request', requestId: `sound-${requests}`, audioUrl })
    return String((await started.glasses.next('audio_play_request')).requestId)
  }

  async function get(requestId: string, email = started.email) {
    return rig.cloud.request<{ error?: string; message?: string }>(
      'GET',
      `/api/client/audio/sounds/${encodeURIComponent(requestId)}`,
      { token: await rig.cloud.token(email) },
    )
  }

  test('PLAY-11: only the user whose glasses were asked gets the sound, while the playback is pending', async () => {
    respond = (_, response) => response.writeHead(200, { 'content-type': 'audio/wav; x=1' }).end(SOUND)
    const id = await play(`${server}/ding.wav?a=b`)
    const { status, body, headers } = await get(id)
    assert.deepEqual([status, String(body)], [200, String(SOUND)])
    assert.equal(headers.get('content-type'), 'audio/wav')
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.equal(headers.get('content-security-policy'), "default-src 'none'; sandbox")
    const call = calls.at(-1)
    assert.deepEqual([call?.method, call?.url], ['GET', '/ding.wav?a=b'])
    assert.deepEqual([call?.headers.authorization, call?.headers.cookie], [undefined, undefined])

    const before = calls.length
    assert.equal((await get(id, 'stranger@ex-ample.com')).status, 404)
    assert.equal((await get('other')).status, 404)
    started.glasses.send({ type: 'audio_play_response', requestId: id, success: true })
    await started.app.next('audio_play_response')
    assert.equal((await get(id)).status, 404)
    assert.equal(calls.length, before, 'nothing is fetched for them')
  })

  test('PLAY-12: what is not a sound, too large or not there is 502 with the reason', async () => {
    const cases: [RequestListener, RegExp][] = [
      [(_, response) => response.writeHead(404).end(), /responded with status 404/],
      [(_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('x'), /text\/html/],
      [(_, response) => response.writeHead(200).end('x'), /no content type/],
      [
        (_, response) => response.writeHead(200, { 'content-type': 'binary/octet-stream' }).end('\xff\xfeno'),
        /binary\/octet-stream instead of a sound/,
      ],
      [
        (_, response) => response.writeHead(200, { 'content-type': 'binary/octet-stream' }).end(),
        /instead of/,
      ],
      [
        (_, response) =>
          response.writeHead(200, { 'content-type': 'audio/wav', 'content-length': 2 ** 25 + 1 }).write('x'),
        /32 MiB/,
      ],
      [(request) => request.socket.destroy(), /unreachable/],
      [(_, response) => response.writeHead(302, { location: '/again' }).end(), /status 302/],
      [(_, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(), /http or https/],
    ]
    for (const [listener, reason] of cases) {
      respond = listener
      const { status, body } = await get(await play(`${server}/ding.wav`))
      assert.equal(status, 502)
      assert.match(String(body.error ?? body.message), reason)
    }
  })

  for (const { format, type } of [
    { format: ['mp3'], type: 'audio/mpeg' },
    { format: ['mp3', '-id3v2_version', '0', '-write_xing', '0'], type: 'audio/mpeg' },
    { format: ['wav'], type: 'audio/wav' },
    { format: ['ogg'], type: 'audio/ogg' },
    { format: ['flac'], type: 'audio/flac' },
    { format: ['adts'], type: 'audio/aac' },
    { format: ['ipod', '-movflags', 'frag_keyframe+empty_moov'], type: 'audio/mp4' },
    { format: ['mp4', '-movflags', 'frag_keyframe+empty_moov'], type: 'audio/mp4' },
    { format: ['webm'], type: 'audio/webm' },
  ])
    test(`PLAY-12: ${format.join(' ')} of any declared type is a sound`, {
      skip: ffmpegMissing,
    }, async () => {
      const args = ['-v', 'error', '-f', 'lavfi', '-i', 'sine=duration=0.2', '-f', ...format, 'pipe:1']
      const { stdout: sound } = await promisify(execFile)('ffmpeg', args, { encoding: 'buffer' })
      for (const declared of ['binary/octet-stream', 'application/octet-stream', 'text/plain', undefined]) {
        respond = async (_, response) => {
          response.writeHead(200, declared === undefined ? {} : { 'content-type': declared })
          // In pieces that do not show what it is.
          for (let at = 0; at < 12; at += 1) {
            response.write(sound.subarray(at, at + 1))
            await setImmediate()
          }
          response.end(sound.subarray(12))
        }
        const agent = await createGuardedAgent(true)
        const { contentType, content } = await fetchSound(agent, server, new AbortController().signal)
        assert.equal(contentType, type)
        assert.deepEqual(await buffer(content), sound)
        await agent.close()
      }
    })

  test('PLAY-12: redirects are followed three times, and each goes through the guard', async () => {
    respond = (request, response) => {
      const left = Number(request.url?.slice(1))
      if (left === 0) response.writeHead(200, { 'content-type': 'audio/mpeg' }).end(SOUND)
      else response.writeHead(302, { location: `/${left - 1}` }).end()
    }
    assert.equal((await get(await play(`${server}/3`))).status, 200)
    assert.equal((await get(await play(`${server}/4`))).status, 502)

    const guarded = await createGuardedAgent(false)
    const before = calls.length
    await assert.rejects(fetchSound(guarded, `${server}/0`, new AbortController().signal), /not public/)
    assert.equal(calls.length, before)
    await guarded.close()
  })

  test('PLAY-12: a sound without an announced size is cut at 32 MiB', async () => {
    const chunk = Buffer.alloc(1024 * 1024)
    respond = (_, response) => {
      response.writeHead(200, { 'content-type': 'audio/wav' })
      const write = () => {
        while (!response.destroyed && response.write(chunk));
        response.once('drain', write)
      }
      write()
    }
    const agent = await createGuardedAgent(true)
    const { content } = await fetchSound(agent, server, new AbortController().signal)
    let bytes = 0
    await assert.rejects(async () => {
      for await (const part of content) bytes += part.length
    }, /32 MiB/)
    assert.ok(bytes <= 2 ** 25)
    await agent.close()
  })
})
