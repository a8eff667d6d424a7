import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, test } from 'node:test'
import { Glasses, type GlassesOptions } from '../src/index.ts'
import { openSocket } from '../src/platform/node.ts'
import { FakeCloud } from './support/fake-cloud.ts'

describe('platform of the glasses', () => {
  test('every frame is observable as it is', async (t) => {
    const cloud = await FakeCloud.start(t)
    const glasses = new Glasses({ url: cloud.url, token: 't', model: null })
    t.after(() => glasses.disconnect())
    const frames: unknown[] = []
    glasses.on('frame', ({ direction, content }) =>
      frames.push([direction, typeof content === 'string' ? JSON.parse(content).type : content]),
    )
    await glasses.connect()
    const connection = await cloud.connection(0)
    connection.send({ type: 'microphone_state_change', requiredData: ['pcm'] })
    await glasses.waitForMicrophone('pcm')
    assert.equal(await glasses.sendAudioFrame(new Uint8Array(640)), true)
    connection.send({ type: 'microphone_state_change', requiredData: [] })
    await glasses.waitForMicrophone(false)
    assert.equal(await glasses.sendAudioFrame(new Uint8Array(640)), false)
    glasses.sendVad(true)
    assert.deepEqual(frames, [
      ['received', 'connection_ack'],
      ['received', 'microphone_state_change'],
      ['sent', 640],
      ['received', 'microphone_state_change'],
      ['sent', 'VAD'],
    ])
  })

  test('with a cookie, REST requests carry no token', async (t) => {
    const headers: unknown[] = []
    const cloud = await FakeCloud.start(t, {
      onRequest: (request, response) => {
        headers.push(request.headers.authorization)
        response.end('{"success":true,"data":[]}')
      },
    })
    for (const credentials of ['token', 'cookie'] as const)
      await new Glasses({ url: cloud.url, token: 't', credentials }).api.stopApp('a.b')
    assert.deepEqual(headers, ['Bearer t', undefined])
  })

  test('camera, speaker and socket can be replaced', async (t) => {
    const cloud = await FakeCloud.start(t, { onRequest: (_, response) => void response.end('{}') })
    const opened: string[] = []
    const options: Partial<GlassesOptions> = {
      openSocket: (target, handlers) => {
        opened.push(new URL(target.url).pathname)
        return openSocket(target, handlers)
      },
      takePicture: async ({ index, size }) => {
        if (index > 0) throw new Error('The camera is in use')
        return { jpeg: Uint8Array.of(255, 216, size.length), width: 1, height: 1 }
      },
      playSound: async (_url, { volume }) => volume * 10,
    }
    const glasses = new Glasses({ url: cloud.url, token: 't', ...options })
    t.after(() => glasses.disconnect())
    await glasses.connect()
    assert.deepEqual(opened, ['/glasses-ws'])
    const connection = await cloud.connection(0)

    const request = { type: 'photo_request', appId: 'a.b', webhookUrl: `${cloud.url}/photo`, size: 'small' }
    const taken = once(glasses, 'photo')
    connection.send({ ...request, requestId: 'one' })
    const [photo] = await taken
    assert.deepEqual([photo.ok, [...photo.picture.jpeg]], [true, [255, 216, 5]])
    const failed = once(glasses, 'photo')
    connection.send({ ...request, requestId: 'two' })
    assert.deepEqual((await failed)[0], {
      ok: false,
      requestId: 'two',
      errorCode: 'CAMERA_FAILED',
      errorMessage: 'The camera is in use',
    })

    const played = once(glasses, 'audioPlayed')
    connection.send({ type: 'audio_play_request', requestId: 'p', appId: 'a.b', audioUrl: 'x:', volume: 0.5 })
    assert.equal((await played)[0].durationSeconds, 5)
  })
})
