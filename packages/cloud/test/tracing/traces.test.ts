import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { before, describe, test } from 'node:test'
import { onPostgres } from '../../src/db/testing.ts'
import type { SpeechToText } from '../../src/features/stt/index.ts'
import { codedSpeech } from '../../src/session/testing/coded-speech.ts'
import { bearer, SocketClient } from '../../src/sockets/testing/socket-client.ts'
import { startNodes } from '../support/cluster.ts'
import { OtlpReceiver, type ReceivedSpan } from '../support/otlp-receiver.ts'
import { redisMissing } from '../support/redis.ts'
import { type Scope, suiteScope } from '../support/scope.ts'
import type { LocalCloud } from '../support/test-cloud.ts'

const APP = 'dev.example.traced'
const EMAIL = 'planted-wearer@secret.example'
/** 100 ms of audio. */
const STEP_BYTES = 3_200
const SPOKEN = 'planted words of the wearer'
const JPEG = Buffer.from(
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA=',
  'base64',
)

/** Recognizes the same words in all audio, some of it after the other. */
const recognizer: SpeechToText = {
  name: 'planted',
  translates: false,
  finalizeTimeoutMs: 1_000,
  supports: () => true,
  open(_, listener) {
    setImmediate(() => listener.ready())
    let isHeard = false
    return {
      push() {
        if (isHeard) return
        isHeard = true
        const segment = { utteranceId: '1', text: SPOKEN, isFinal: true, startMs: 0, endMs: 100 }
        setImmediate(() => listener.segment(segment))
      },
      finalize: () => setImmediate(() => listener.finalized()),
      close() {},
    }
  },
}

/** An app server that keeps the headers of the calls it gets. */
async function startServer(scope: Scope) {
  const calls: { url: string | undefined; headers: IncomingHttpHeaders; body: string }[] = []
  const arrivals = new EventEmitter()
  const server = createServer(async (request, response) => {
    const body = (await buffer(request)).toString('latin1')
    calls.push({ url: request.url, headers: request.headers, body })
    arrivals.emit('call')
    response.end('{"status":"success"}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  scope.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async called(path: string) {
      for (;;) {
        const call = calls.find(({ url }) => url === path)
        if (call) return call
        await once(arrivals, 'call', { signal: AbortSignal.timeout(20_000) })
      }
    },
  }
}

const nodesOf = (spans: readonly ReceivedSpan[]) => [...new Set(spans.map(({ node }) => node))].sort()

describe('traces over three nodes', { skip: redisMissing }, () => {
  onPostgres((database) => {
    const scope = suiteScope()
    let collector: OtlpReceiver
    let one: LocalCloud
    let two: LocalCloud
    let three: LocalCloud
    let token: string
    let apiKey: string
    let server: Awaited<ReturnType<typeof startServer>>
    let glasses: SocketClient
    let app: SocketClient

    before(async () => {
      collector = await OtlpReceiver.start(scope)
      ;[one, two, three] = await startNodes(scope, database, ['one', 'two', 'three'], {
        env: {
          OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
          OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
          OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20collector-key',
          OTEL_TRACES_SAMPLER: 'parentbased_always_on',
          OTEL_BSP_SCHEDULE_DELAY: '200',
        },
        overrides: { speech: [recognizer] },
      })
      server = await startServer(scope)
      ;({ apiKey } = await one.registerApp({
        packageName: APP,
        publicUrl: server.url,
        permissions: [{ type: 'MICROPHONE' }, { type: 'CAMERA' }],
      }))
      token = await one.token(EMAIL)
      // The first socket decides that node two owns the session.
      glasses = await SocketClient.open(scope, `${two.wsUrl}/glasses-ws`, bearer(token))
      await glasses.next('connection_ack')
      await one.request('POST', `/api/apps/install/${APP}`, { token })
    })

    test('OBS-23: the start of an app is one trace, and a trace of the client is ignored', async () => {
      const foreign = 'f'.repeat(32)
      const starting = one.request('POST', `/api/apps/${APP}/start`, {
        token,
        headers: { traceparent: `00-${foreign}-${'e'.repeat(16)}-01` },
      })
      const call = await server.called('/webhook')
      const { sessionId } = JSON.parse(call.body) as { sessionId: string }
      app = await SocketClient.open(scope, `${three.wsUrl}/app-ws`)
      app.send({ type: 'tpa_connection_init', packageName: APP, apiKey, sessionId })
      await app.next('tpa_connection_ack')
      assert.equal((await starting).status, 200)

      const steps = ['http.request', 'node.request', 'node.handle', 'app.start', 'webhook', 'app.attach']
      const spans = await collector.traceWith(...steps, 'app.running', 'socket.deliver')
      assert.deepEqual(nodesOf(spans), ['one', 'three', 'two'])
      assert.deepEqual(
        spans.filter(({ name }) => name === 'http.request').map(({ attributes }) => attributes),
        [
          {
            'http.request.method': 'POST',
            'http.route': '/api/apps/:packageName/start',
            'http.response.status_code': 200,
          },
        ],
      )
      const ids = new Set(spans.map(({ spanId }) => spanId))
      assert.deepEqual(
        spans.filter(({ parentSpanId }) => !parentSpanId || !ids.has(parentSpanId)).map(({ name }) => name),
        ['http.request'],
      )
      const webhook = spans.find(({ name }) => name === 'webhook')
      assert.equal(call.headers.traceparent, `00-${webhook?.traceId}-${webhook?.spanId}-01`)
      assert.ok(collector.spans.every(({ traceId }) => traceId !== foreign))
      assert.deepEqual([...collector.authorizations], ['Bearer collector-key'])
    })

    test('an utterance is one trace, from its audio to the socket of the app', async () => {
      app.send({ type: 'subscription_update', subscriptions: ['transcription:en-US'] })
      while (!(await glasses.next('microphone_state_change')).isMicrophoneEnabled);
      const speech = codedSpeech([1, 2, 3])
      for (let at = 0; at < speech.byteLength; at += STEP_BYTES)
        glasses.send(speech.subarray(at, at + STEP_BYTES))
      const { data } = await app.next('data_stream')
      assert.equal((data as { text: string }).text, SPOKEN)
      const spans = await collector.traceWith(
        'utterance',
        'utterance.recognize',
        'utterance.deliver',
        'socket.deliver',
      )
      assert.deepEqual(nodesOf(spans), ['three', 'two'])
      assert.equal(collector.spans.filter(({ name }) => name === 'utterance').length, 1)
    })

    test('a photo is one trace, from its request to its delivery', async () => {
      app.send({ type: 'photo_request', requestId: 'photo-1', packageName: APP })
      const { authToken } = await glasses.next('photo_request')
      const form = new FormData()
      form.set('requestId', 'photo-1')
      form.set('photo', new Blob([JPEG], { type: 'image/jpeg' }), 'photo.jpg')
      const response = await fetch(`${one.url}/api/photos/upload`, {
        method: 'POST',
        headers: { authorization: `Bearer ${authToken}` },
        body: form,
      })
      assert.equal(response.status, 200, await response.text())
      const delivered = await server.called('/photo-upload')
      const spans = await collector.traceWith('photo.request', 'photo.upload', 'node.handle', 'webhook')
      assert.deepEqual(nodesOf(spans), ['one', 'two'])
      assert.match(String(delivered.headers.traceparent), new RegExp(`^00-${spans[0]?.traceId}-`))
    })

    test('OBS-24: spans have listed attributes only, and nothing of the wearer', async () => {
      const sent = Buffer.concat(collector.bodies).toString('latin1')
      assert.ok(sent.length > 1_000)
      const planted = [
        EMAIL,
        'planted-wearer',
        SPOKEN,
        'planted words',
        token,
        apiKey,
        JPEG.toString('base64').slice(0, 40),
      ]
      for (const secret of planted) assert.ok(!sent.includes(secret), secret)
      const names = new Set(collector.spans.flatMap(({ attributes }) => Object.keys(attributes)))
      assert.deepEqual([...names].sort(), [
        'app.package_name',
        'http.request.method',
        'http.response.status_code',
        'http.route',
        'node.method',
        'speech.audio_ms',
        'speech.provider',
        'webhook.kind',
      ])
    })
  })
})
