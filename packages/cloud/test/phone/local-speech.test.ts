import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Phone, type PhoneOptions } from '@glasses-cloud/phone'
import { RecordingGlasses } from '@glasses-cloud/phone/test/recording-glasses'
import { SocketClient } from '../../src/sockets/testing/socket-client.ts'
import { startAppServer } from '../support/app-server.ts'
import type { Scope } from '../support/scope.ts'
import { startCloud } from '../support/test-cloud.ts'

const packageName = 'dev.example.speaker'

type Speak = NonNullable<PhoneOptions['speak']>

/** A phone whose user has started an app, and the socket of the app. */
async function startSpeaker(t: Scope, speak?: Speak) {
  const cloud = await startCloud(t, { env: { TTS_PROVIDER: 'none' } })
  const server = await startAppServer(t, packageName)
  server.behavior = 'never-connect'
  const { apiKey } = await cloud.registerApp({ packageName, publicUrl: server.url })
  const token = await cloud.token('wearer@example.org')
  const phone = new Phone(new RecordingGlasses(), { url: cloud.url, token, ...(speak && { speak }) })
  t.after(() => phone.disconnect())
  await phone.connect()
  phone.send({ type: 'start_app', packageName })
  const { sessionId } = await server.called('session_request')
  const app = await SocketClient.open(t, `${cloud.wsUrl}/app-ws`)
  app.send({ type: 'tpa_connection_init', packageName, apiKey, sessionId })
  await app.next('tpa_connection_ack')
  let requests = 0
  const request = (audioUrl: string) => {
    requests += 1
    app.send({ type: 'audio_play_request', requestId: `r${requests}`, packageName, audioUrl })
  }
  const play = (url: string) => {
    request(url)
    return app.next('audio_play_response')
  }
  return { cloud, app, request, play }
}

describe('speech of a cloud without a voice', () => {
  test('PHC-21: the phone speaks the text, in the language of the voice', async (t) => {
    const spoken: unknown[] = []
    const { cloud, play } = await startSpeaker(t, async (text, { language, volume }) => {
      spoken.push([text, language, volume])
    })
    const speech = `${cloud.url}/api/tts?`
    for (const query of [
      `text=${encodeURIComponent('Guten Tag & auf Wiedersehen')}&voice_id=de`,
      'voice_id=zh_TW&text=Ni+hao',
      'voice_id=Rachel&text=Good+morning',
    ])
      assert.equal((await play(speech + query)).success, true)
    assert.deepEqual(spoken, [
      ['Guten Tag & auf Wiedersehen', 'de', 1],
      ['Ni hao', 'zh-TW', 1],
      ['Good morning', undefined, 1],
    ])
    for (const other of [`${speech}text=%ff`, `${speech}voice_id=de`, `${cloud.url}/missing.mp3?text=hello`])
      assert.equal((await play(other)).success, false, other)
    assert.equal(spoken.length, 3)
  })

  test('PHC-21: a phone without a voice, one that fails, and speech that is stopped', async (t) => {
    const silent = await startSpeaker(t)
    const refused = await silent.play(`${silent.cloud.url}/api/tts?text=hello`)
    assert.deepEqual(
      [refused.success, /TTS the service not configured/.test(String(refused.error))],
      [false, true],
    )

    const failing = await startSpeaker(t, () => Promise.reject(new Error('The phone cannot speak')))
    const { error } = await failing.play(`${failing.cloud.url}/api/tts?text=hello`)
    assert.match(String(error), /TTS the service not configured.*; The phone cannot speak$/)

    const { promise: started, resolve: start } = Promise.withResolvers<void>()
    const stopped = await startSpeaker(t, (_text, { signal }) => {
      start()
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      })
    })
    stopped.request(`${stopped.cloud.url}/api/tts?text=hello`)
    await started
    stopped.app.send({ type: 'audio_stop_request', packageName })
    assert.equal((await stopped.app.next('audio_play_response')).error, 'The playback was stopped')
  })
})
