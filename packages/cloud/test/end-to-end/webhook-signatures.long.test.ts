import assert from 'node:assert/strict'
import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Webhook } from 'standardwebhooks'
import { findFreePort } from '../../src/http/free-port.ts'
import { SdkApp } from '../support/sdk-app.ts'

const SAMPLE_APPS = ['broadcast', 'camera', 'captions', 'dashboard', 'notebook', 'tour']

const apiKey = 'gck_signed_webhooks'

const root = new URL('../../../../', import.meta.url)

const secretOf = (key: string) => createHash('sha256').update(key).digest('base64')

interface Signing {
  readonly key?: string
  readonly ageSeconds?: number
}

/** The headers with which the cloud signs a call. */
function sign(body: string, { key = apiKey, ageSeconds = 0 }: Signing = {}): Record<string, string> {
  const at = new Date(Date.now() - ageSeconds * 1000)
  return {
    'content-type': 'application/json',
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secretOf(key)).sign('msg_1', at, body),
  }
}

/** Headers that an app must reject for this body. */
function forgeries(body: string): Record<string, Record<string, string>> {
  const { 'webhook-signature': signature = '', ...unsigned } = sign(body)
  return {
    'no signature': unsigned,
    'no headers': {},
    'a text': { 'content-type': 'text/plain' },
    'another key': sign(body, { key: 'gck_other' }),
    'an old signature': sign(body, { ageSeconds: 301 }),
    'a signature of the future': sign(body, { ageSeconds: -310 }),
    'the signature of another body': sign(`${body} `),
    'another version': { ...unsigned, 'webhook-signature': signature.replace('v1,', 'v2,') },
    'another time': { ...unsigned, 'webhook-signature': signature, 'webhook-timestamp': '1' },
  }
}

const post = (url: string, headers: Record<string, string>, body: string) =>
  fetch(url, { method: 'POST', headers, body })

/** Posts bodies to an app, each with every forged signature, and expects 401. */
async function rejects(url: string, paths: readonly string[], body: string): Promise<void> {
  for (const path of paths)
    for (const [name, headers] of Object.entries(forgeries(body))) {
      const { status } = await post(`${url}${path}`, headers, body)
      assert.equal(status, 401, `${path} with ${name}`)
    }
}

/** Posts forms with a photo, whose bytes are no text, to an app that requested none. */
async function uploadsPhotos(url: string): Promise<void> {
  const form = new FormData()
  form.append('requestId', 'unknown')
  form.append('type', 'photo_upload')
  form.append('success', 'true')
  const bytesOfPhoto = Uint8Array.from({ length: 2_000_000 }, (_, index) => index)
  form.append('photo', new Blob([bytesOfPhoto], { type: 'image/jpeg' }), 'photo.jpg')
  const response = new Response(form)
  const type = String(response.headers.get('content-type'))
  const bytes = Buffer.from(await response.arrayBuffer())
  const send = async (body: Buffer) => {
    const at = Math.floor(Date.now() / 1000)
    const secret = createHash('sha256').update(apiKey).digest()
    const mac = createHmac('sha256', secret).update(`msg_1.${at}.`).update(bytes).digest('base64')
    const signed = { 'webhook-id': 'msg_1', 'webhook-timestamp': `${at}`, 'webhook-signature': `v1,${mac}` }
    const { status } = await fetch(`${url}/photo-upload`, {
      method: 'POST',
      // The server of the SDK may close a connection that was idle while the next request is under way.
      headers: { ...signed, 'content-type': type, connection: 'close' },
      body: new Uint8Array(body),
    })
    return status
  }
  // The SDK parsed the form, and knows no such request.
  assert.equal(await send(bytes), 404)
  const changed = Buffer.from(bytes)
  changed.writeUInt8(changed.readUInt8(1_000_000) ^ 0x80, 1_000_000)
  assert.equal(await send(changed), 401)
}

/** The blocks of code of a page that start with an import. */
async function snippetsOf(page: string): Promise<string[]> {
  const markdown = await readFile(new URL(page, root), 'utf8')
  return [...markdown.matchAll(/^```js\n(import [\s\S]*?)^```$/gm)].map(([, code = '']) => code)
}

/** Receives the sockets that an app opens. */
async function countSockets(t: TestContext) {
  let opened = 0
  const server = createServer().listen(0, '127.0.0.1')
  server.on('upgrade', (_request, socket) => {
    opened += 1
    socket.destroy()
  })
  await once(server, 'listening')
  t.after(() => server.close())
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/app-ws`,
    opened: () => opened,
    server,
  }
}

describe('signatures of webhooks', { concurrency: true }, () => {
  test('WHK-7: the app of docs/apps.md starts for signed calls only', async (t) => {
    const [app = '', helper = '', ...others] = await snippetsOf('docs/apps.md')
    assert.deepEqual(others, [])
    assert.equal(
      helper,
      await readFile(new URL('apps/verify-webhooks/src/verify-webhooks.mjs', root), 'utf8'),
    )
    const folder = await mkdtemp(join(tmpdir(), 'docs-app-'))
    t.after(() => rm(folder, { recursive: true }))
    await symlink(fileURLToPath(new URL('node_modules', root)), join(folder, 'node_modules'))
    const port = await findFreePort()
    await writeFile(join(folder, 'app.mjs'), app.replace('7300', String(port)))
    await writeFile(join(folder, 'verify-webhooks.mjs'), helper)
    await SdkApp.start(t, {
      app: pathToFileURL(join(folder, 'app.mjs')),
      packageName: 'org.example.echo',
      apiKey,
      port,
    })
    const url = `http://127.0.0.1:${port}`

    const sockets = await countSockets(t)
    const request = (sessionId: string) =>
      JSON.stringify({
        type: 'session_request',
        sessionId,
        userId: 'ada@example.org',
        mentraOSWebsocketUrl: sockets.url,
        augmentOSWebsocketUrl: sockets.url,
      })
    await rejects(
      url,
      ['/webhook', '/webhook/', '/WEBHOOK', '/tool', '/settings', '/photo-upload'],
      request('forged'),
    )
    const opened = once(sockets.server, 'upgrade')
    const body = request('signed')
    void post(`${url}/webhook`, sign(body), body).catch(() => {})
    await opened
    assert.equal(sockets.opened(), 1)

    // During the rotation of the key, a call carries a signature for each.
    const stop = JSON.stringify({ type: 'stop_request', sessionId: 'signed', userId: 'ada@example.org' })
    const signed = sign(stop)
    const both = `${sign(stop, { key: 'gck_new' })['webhook-signature']} ${signed['webhook-signature']}`
    const { status } = await post(`${url}/webhook`, { ...signed, 'webhook-signature': both }, stop)
    assert.equal(status, 200)
  })

  for (const app of SAMPLE_APPS)
    test(`WHK-7: the sample app ${app} rejects other calls`, async (t) => {
      const port = await findFreePort()
      await SdkApp.start(t, { app, packageName: `org.example.${app}`, apiKey, port })
      const url = `http://127.0.0.1:${port}`
      const body = JSON.stringify({ type: 'unknown' })
      await rejects(url, ['/webhook', '/tool', '/settings', '/photo-upload'], body)
      await rejects(url, ['/webhook'], '')
      // The response of the SDK to an unknown type.
      assert.equal((await post(`${url}/webhook`, sign(body), body)).status, 400)
      assert.equal((await fetch(`${url}/health`)).status, 200)
      await uploadsPhotos(url)
    })
})
