import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { SocketClient } from '../../src/sockets/testing/socket-client.ts'
import { startAppServer } from '../support/app-server.ts'
import { BareEngine } from '../support/bare-engine.ts'
import { bundleScript } from '../support/bundle-page.ts'
import type { Scope } from '../support/scope.ts'
import { type LocalCloud, startCloud } from '../support/test-cloud.ts'
import { waitFor } from '../support/wait-for.ts'

const CAPTIONS = 'dev.glasses-cloud.captions'
const LISTENER = 'dev.example.listener'
const words = 'the quick brown fox jumps over the lazy dog'

describe('phone in a bare JavaScript engine', () => {
  let script: string

  before(async () => {
    script = await bundleScript(new URL('bare/recording-phone.ts', import.meta.url))
  })

  async function connect(t: Scope, cloud: LocalCloud) {
    const token = await cloud.token('wearer@example.org')
    const engine = new BareEngine(t, new Map(Object.entries({ url: cloud.url, token, words })))
    for (const name of [
      'URL',
      'AbortController',
      'FormData',
      'EventTarget',
      'process',
      'require',
      'document',
    ])
      assert.equal(engine.run(`typeof ${name}`), 'undefined', name)
    engine.run(script)
    t.after(() => engine.run('bundle.phone.disconnect()'))
    await engine.run('bundle.phone.connect()')
    const post = async (path: string) =>
      (await cloud.request('POST', path, { token })).status === 200 || undefined
    return { engine, post }
  }

  test('PHC-20: the words of the captions app, also after the cloud was away', async (t) => {
    const cloud = await startCloud(t, { env: { SAMPLE_APP: 'on' } })
    const { engine, post } = await connect(t, cloud)
    await waitFor('the publication of the app', () => post(`/api/apps/install/${CAPTIONS}`))
    await waitFor('the start of the app', () => post(`/api/apps/${CAPTIONS}/start`))
    const isCaption = (page: unknown) => String(page).includes('quick brown fox')
    await engine.waitFor('page', isCaption)
    assert.deepEqual(
      engine.logged.filter(([what]) => what === 'error'),
      [],
    )
    engine.logged.length = 0
    engine.run('bundle.phone.loseConnection()')
    await engine.waitFor('page', isCaption)
  })

  test('PHC-20: frames of the microphone reach the app, and a sound is stopped', async (t) => {
    const cloud = await startCloud(t)
    const server = await startAppServer(t, LISTENER)
    server.behavior = 'never-connect'
    const permissions = [{ type: 'MICROPHONE' as const }]
    const { apiKey } = await cloud.registerApp({ packageName: LISTENER, publicUrl: server.url, permissions })
    const { engine, post } = await connect(t, cloud)
    await waitFor('the installation', () => post(`/api/apps/install/${LISTENER}`))
    engine.run(`bundle.phone.send({ type: 'start_app', packageName: '${LISTENER}' })`)
    const { sessionId } = await server.called('session_request')
    const app = await SocketClient.open(t, `${cloud.wsUrl}/app-ws`)
    app.send({ type: 'tpa_connection_init', packageName: LISTENER, apiKey, sessionId })
    await app.next('tpa_connection_ack')
    app.send({ type: 'subscription_update', subscriptions: ['audio_chunk'] })
    await app.waitForAudio(1)
    assert.match(String(app.audio[0]), /^(sound of 20 ms \.){40}$/)

    const audioUrl = 'https://sounds.example.org/long.mp3'
    app.send({ type: 'audio_play_request', requestId: 'a', packageName: LISTENER, audioUrl })
    await engine.waitFor('sound', (url) => url === audioUrl)
    app.send({ type: 'audio_stop_request', packageName: LISTENER })
    await engine.waitFor('played', (error) => error === 'The playback was stopped')
  })
})
