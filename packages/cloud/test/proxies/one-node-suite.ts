import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect as connectHttp2 } from 'node:http2'
import { before, describe, test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { ENVELOPE_SUBPROTOCOL } from '@glasses-cloud/contract'
import { findFreePort } from '../../src/http/free-port.ts'
import { bearer, rejectedHandshake, SocketClient } from '../../src/sockets/testing/socket-client.ts'
import { startAppServer } from '../support/app-server.ts'
import { selfSigned } from '../support/certificates.ts'
import { openEventStream } from '../support/event-stream.ts'
import { ffmpegMissing, tinyPicture } from '../support/media.ts'
import { image } from '../support/photo-app.ts'
import { openRequest, sendThrough } from '../support/proxied-request.ts'
import { PROXY_NAMES, type ProxyName, ProxyServer, proxyMissing } from '../support/proxies.ts'
import { suiteScope } from '../support/scope.ts'
import { connectCameraGlasses, StreamApp } from '../support/stream-rig.ts'
import { type LocalCloud, startCloud } from '../support/test-cloud.ts'
import { waitFor, withTimeout } from '../support/wait-for.ts'

/** Less than two intervals between pings, more than one. The files have 75 s. */
const IDLE_SECONDS = 15
const TIMEOUT_MS = 60_000

setDefaultCACertificates([...getCACertificates('default'), selfSigned.cert])

/** Tests one cloud behind each of the proxies. Glasses publish their video through the first. */
export function testOneNode(names: readonly [ProxyName, ...ProxyName[]]): void {
  describe('one node behind a proxy', () => {
    const installed = names.filter((name) => proxyMissing(name) === false)
    const scope = suiteScope()
    let cloud: LocalCloud
    const proxies = new Map<ProxyName, ProxyServer>()
    const idle = new Map<ProxyName, { readonly socket: SocketClient; pings: number }>()

    before(async () => {
      if (installed.length === 0) return
      const publicPort = await findFreePort()
      const rtmpsPort = await findFreePort()
      const rtmpPort = await findFreePort()
      const env = {
        TRUST_PROXY: '127.0.0.1',
        PUBLIC_URL: `https://localhost:${publicPort}`,
        REST_LIMIT_PER_MINUTE: '100',
        SIGN_UP: 'open',
        ...(!ffmpegMissing && {
          STREAM_PROVIDER: 'local',
          RTMP_PORT: String(rtmpPort),
          RTMP_PUBLIC_URL: `rtmps://localhost:${rtmpsPort}`,
        }),
      }
      cloud = await startCloud(scope, { env })
      const nodes = [{ port: Number(new URL(cloud.url).port), rtmpPort }]
      await Promise.all(
        installed.map(async (name, index) => {
          const ports = index === 0 ? { port: publicPort, rtmpsPort } : {}
          const proxy = await ProxyServer.start(scope, name, { nodes, idleSeconds: IDLE_SECONDS, ...ports })
          proxies.set(name, proxy)
          const token = await cloud.token(`idle-${name}@example.com`)
          const socket = await SocketClient.open(scope, socketUrl(proxy, '/glasses-ws'), bearer(token))
          const state = { socket, pings: 0 }
          socket.ws.on('ping', () => {
            state.pings += 1
          })
          idle.set(name, state)
        }),
      )
    })

    let users = 0
    const newToken = () => cloud.token(`user-${++users}@example.com`)

    function proxyNamed(name: ProxyName): ProxyServer {
      const proxy = proxies.get(name)
      assert(proxy)
      return proxy
    }

    for (const name of names)
      describe(name, { skip: proxyMissing(name) }, () => {
        test('PXY-1: sockets of glasses and an app, audio, a subprotocol and close codes', async (t) => {
          const proxy = proxyNamed(name)
          const packageName = `dev.example.${proxy.name}`
          const server = await startAppServer(t, packageName)
          server.behavior = 'never-connect'
          const { apiKey } = await cloud.registerApp({
            packageName,
            publicUrl: server.url,
            permissions: [{ type: 'MICROPHONE' }],
          })
          const token = await newToken()
          const glasses = await SocketClient.open(t, socketUrl(proxy, `/ws/client?token=${token}`), {
            protocols: [ENVELOPE_SUBPROTOCOL],
          })
          await glasses.next('connection_ack')
          glasses.send({ type: 'start_app', packageName })
          const { sessionId } = await server.called('session_request')
          const app = await SocketClient.open(t, socketUrl(proxy, '/app-ws'))
          app.send({ type: 'tpa_connection_init', packageName, apiKey, sessionId })
          await app.next('tpa_connection_ack')
          app.send({ type: 'subscription_update', subscriptions: ['audio_chunk'] })
          const audio = Buffer.alloc(640, 7)
          await waitFor('audio at the app', () => {
            // Audio before the subscription is in effect is dropped.
            glasses.send(audio)
            return app.audio.length > 0
          })
          assert.deepEqual(app.audio[0], audio)
          const layout = { layoutType: 'text_wall', text: 'hello through the proxy' }
          app.send({ type: 'display_event', packageName, view: 'main', layout })
          while (!JSON.stringify(await glasses.next('display_event')).includes(layout.text));

          const refused = await rejectedHandshake(socketUrl(proxy, '/glasses-ws?token=wrong'))
          assert.deepEqual([refused.status, refused.body.code], [401, 'INVALID_TOKEN'])
          app.ws.close(4000, 'the end')
          assert.deepEqual(await app.closed(), { code: 4000, reason: 'the end' })
          const signedOut = await sendThrough(`${proxy.url}/api/auth/logout-everywhere`, {
            method: 'POST',
            token,
          })
          assert.equal(signedOut.status, 200, signedOut.text)
          assert.equal((await glasses.closed()).code, 4401)
        })

        test('PXY-3: the events of a stream arrive at once', async (t) => {
          const proxy = proxyNamed(name)
          const email = `admin-${proxy.name}@example.com`
          const token = await cloud.token(email)
          const user = await cloud.operator.users.findByEmail(email)
          await cloud.operator.users.setAdministrator(String(user?.id), true, 1)
          const headers = { authorization: `Bearer ${token}` }
          const stream = await openEventStream(t, `${proxy.url}/api/admin/stream`, headers)
          const { data } = await stream.next(({ name }) => name === 'sessions')
          assert.equal(typeof (data as { total: number }).total, 'number')
          const session = connectHttp2(proxy.url)
          t.after(() => session.destroy())
          const second = session.request({ ':path': '/api/admin/stream', ...headers })
          const [first] = await withTimeout(TIMEOUT_MS, once(second, 'data'), 'no event over HTTP/2')
          assert.match(String(first), /^: connected/)
        })

        test('PXY-4: an upload passes while it is sent, and a larger one gets the 413 of the cloud', async () => {
          const proxy = proxyNamed(name)
          const token = await newToken()
          const form = multipart(image.jpeg(10 * 1024 * 1024))
          const headers = { 'content-type': form.type, 'content-length': String(form.body.length) }
          const upload = openRequest(`${proxy.url}/api/photos/upload`, { method: 'POST', token, headers })
          const arrived = once(cloud.cloud.server.server, 'request')
          upload.write(form.body.subarray(0, 200_000))
          await withTimeout(TIMEOUT_MS, arrived, 'the upload is stored at the proxy')
          upload.end(form.body.subarray(200_000))
          const [response] = await once(upload, 'response')
          assert.equal(response.statusCode, 200)
          response.resume()
          const tooLarge = multipart(image.jpeg(11 * 1024 * 1024))
          const rejected = await sendThrough(`${proxy.url}/api/photos/upload`, {
            method: 'POST',
            token,
            headers: { 'content-type': tooLarge.type },
            body: tooLarge.body,
          })
          assert.equal(rejected.status, 413)
          assert.match(String(rejected.headers['content-type']), /^application\/json/)
          const json = await sendThrough(`${proxy.url}/api/account/profile`, {
            method: 'PUT',
            token,
            body: { name: 'x'.repeat(1024 * 1024) },
          })
          assert.deepEqual(
            [json.status, json.text],
            [413, '{"error":"The request body is too large; at most 1,048,576 bytes are allowed"}'],
          )
        })

        test('PXY-5: a long text for speech', async () => {
          const proxy = proxyNamed(name)
          const text = encodeURIComponent('😀'.repeat(5_000))
          const { status } = await sendThrough(`${proxy.url}/api/tts?text=${text}`)
          assert.equal(status, 200)
        })

        test('PXY-10: clients that claim another address, protocol and host', async () => {
          const proxy = proxyNamed(name)
          const from = `127.0.${PROXY_NAMES.indexOf(proxy.name) + 1}.1`
          const forged = (address: string) => ({
            'x-forwarded-for': address,
            'x-forwarded-proto': 'http',
            'x-forwarded-host': 'evil.example',
            forwarded: `for=${address};proto=http;host=evil.example`,
          })
          const url = `${proxy.url}/api/apps/version`
          const remaining = async (address: string, client: string) => {
            const { headers } = await sendThrough(url, { headers: forged(address), from: client })
            return Number(headers['ratelimit-remaining'])
          }
          assert.deepEqual(
            [await remaining('198.51.100.1', from), await remaining('198.51.100.2', from)],
            [99, 98],
          )
          assert.equal(await remaining('198.51.100.1', `${from}1`), 99)

          const password = 'correct horse battery staple'
          const signUp = (origin: string, email: string) =>
            sendThrough(`${proxy.url}/api/auth/sign-up/email`, {
              method: 'POST',
              headers: { ...forged('198.51.100.3'), origin },
              body: { email, password },
              from,
            })
          const foreign = await signUp('http://evil.example', `evil-${proxy.name}@example.com`)
          assert.equal(foreign.status, 403, foreign.text)
          const own = await signUp(proxy.url, `ada-${proxy.name}@example.com`)
          assert.equal(own.status, 200, own.text)
          const cookie = own.headers['set-cookie']?.map((line) => line.replace(/;.*/, '')).join('; ') ?? ''
          const logins = await sendThrough(`${proxy.url}/api/auth/logins`, { headers: { cookie }, from })
          assert.deepEqual(
            JSON.parse(logins.text).logins.map(({ ipAddress }: { ipAddress: string }) => ipAddress),
            [from],
          )
        })

        test('PXY-11: secure cookies, the redirect from plain HTTP, and request ids', async () => {
          const proxy = proxyNamed(name)
          const from = `127.1.${PROXY_NAMES.indexOf(proxy.name) + 1}.1`
          const signedUp = await sendThrough(`${proxy.url}/api/auth/sign-up/email`, {
            method: 'POST',
            headers: { origin: proxy.url, 'x-request-id': `request-${proxy.name}` },
            body: { email: `cookie-${proxy.name}@example.com`, password: 'correct horse battery staple' },
            from,
          })
          assert.match(String(signedUp.headers['set-cookie']), /; Secure/)
          assert.equal(signedUp.headers['x-request-id'], `request-${proxy.name}`)
          const redirect = await fetch(`${proxy.plainUrl}/store?q=1`, { redirect: 'manual' })
          assert.equal(redirect.status, 308)
          assert.match(String(redirect.headers.get('location')), /^https:\/\/localhost(:\d+)?\/store\?q=1$/)
        })

        test('PXY-12: metrics are hidden, the probes are not', async () => {
          const proxy = proxyNamed(name)
          const statuses = []
          for (const path of ['metrics', 'healthz', 'readyz'])
            statuses.push((await sendThrough(`${proxy.url}/${path}`)).status)
          assert.deepEqual(statuses, [404, 200, 200])
        })

        test('PXY-2: an idle socket, from the start of these tests', async () => {
          const proxy = proxyNamed(name)
          const state = idle.get(proxy.name)
          assert(state)
          // By the second ping, more time has passed than the timeout of the proxy.
          await waitFor('two pings', () => state.pings >= 2 || state.socket.ws.readyState !== WebSocket.OPEN)
          assert.equal(state.socket.ws.readyState, WebSocket.OPEN)
        })

        test('PXY-13: the logs of the proxy', async () => {
          const proxy = proxyNamed(name)
          const log = await proxy.log()
          assert.match(log, /request-/, 'nothing was logged')
          assert.doesNotMatch(log, /token=|eyJ|glasses-ws|Bearer|account\/me/)
        })
      })

    test('PXY-6: playback and encrypted video', {
      skip: ffmpegMissing || proxyMissing(names[0]),
    }, async (t) => {
      const email = 'filmer@example.com'
      await connectCameraGlasses(t, cloud, email, { streaming: tinyPicture })
      const socket = await (await StreamApp.serve(t, cloud, 'com.filmer')).start(email)
      await socket.startManagedStream()
      const { hlsUrl, dashUrl, previewUrl, thumbnailUrl } = await socket.waitForManagedStatus('active')
      for (const { url } of proxies.values()) {
        const read = async (of: unknown) => sendThrough(`${url}${new URL(String(of)).pathname}`)
        const playlist = await read(String(hlsUrl).replace('master', 'media_0'))
        const segment = /\S+\.m4s$/m.exec(playlist.text.trim())?.[0]
        const media = await read(String(hlsUrl).replace('master.m3u8', String(segment)))
        assert.deepEqual([media.status, media.headers['content-type']], [200, 'video/mp4'])
        assert.match(String(media.headers['cache-control']), /immutable/)
        for (const page of [hlsUrl, dashUrl, previewUrl]) assert.equal((await read(page)).status, 200)
        await waitFor('a thumbnail', async () => (await read(thumbnailUrl)).status === 200)
      }
      socket.send({ type: 'managed_stream_stop' })
    })
  })
}

const socketUrl = (proxy: ProxyServer, path: string) => `${proxy.url.replace('https', 'wss')}${path}`

/** A form with a photo. */
function multipart(photo: Buffer) {
  const head =
    '--b\r\ncontent-disposition: form-data; name="requestId"\r\n\r\nr1\r\n' +
    '--b\r\ncontent-disposition: form-data; name="photo"; filename="p.jpg"\r\n\r\n'
  const body = Buffer.concat([Buffer.from(head), photo, Buffer.from('\r\n--b--\r\n')])
  return { type: 'multipart/form-data; boundary=b', body }
}
