import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, test } from 'node:test'
import { sendRaw } from '../support/raw-http.ts'
import type { Scope } from '../support/scope.ts'
import { type LocalCloud, startCloud } from '../support/test-cloud.ts'
import { withTimeout } from '../support/wait-for.ts'

const TOO_LARGE = 'The request body is too large; at most 1,048,576 bytes are allowed'

describe('body limits', () => {
  const groups: [style: string, path: string, method: string, body: unknown][] = [
    ['bare', '/api/account/profile', 'PUT', { error: TOO_LARGE }],
    ['envelope', '/api/apps/install/a.b', 'POST', { success: false, message: TOO_LARGE }],
  ]
  for (const [style, path, method, errorBody] of groups) {
    test(`LIM-30: a JSON body above 1 MiB returns 413 in the error style of its group (${style})`, async (t) => {
      const cloud = await startCloud(t)
      const token = await cloud.token('a@example.org')
      const response = await cloud.request(method, path, { token, body: { name: 'x'.repeat(1024 * 1024) } })
      assert.deepEqual([response.status, response.body], [413, errorBody])
    })
  }

  test('LIM-31: an endless body is aborted at the limit', async (t) => {
    const cloud = await startCloud(t, { env: { LOG_LEVEL: 'info' } })
    const token = await cloud.token('a@example.org')
    const { socket, closed } = await openConnection(t, cloud)
    socket.write(requestHead('PUT /api/account/profile', token, 'Transfer-Encoding: chunked'))
    const chunk = `${(65_536).toString(16)}\r\n${'x'.repeat(65_536)}\r\n`
    let sent = 0
    while (!socket.destroyed && sent < 1_000) {
      sent += 1
      if (!socket.write(chunk)) await Promise.race([once(socket, 'drain').catch(() => {}), closed])
    }
    await withTimeout(20_000, closed, 'the connection was not closed')
    // A client that is still sending may lose the response to a connection reset, so the log is checked.
    assert.deepEqual(
      cloud.logged.filter(({ msg }) => msg === 'request').map(({ status, code }) => [status, code]),
      [[413, 'PAYLOAD_TOO_LARGE']],
    )
    // 17 chunks exceed the limit; the rest fits the socket buffers.
    assert.ok(sent < 500, `${sent} chunks were accepted`)
  })

  test('LIM-32: the body of an unauthenticated request is not read', async (t) => {
    const cloud = await startCloud(t)
    const { socket, received } = await openConnection(t, cloud)
    socket.write(requestHead('PUT /api/account/profile', 'nobody', 'Content-Length: 1000'))
    await withTimeout(20_000, once(socket, 'data'), 'no response')
    assert.match(received(), /^HTTP\/1\.1 401 /)
    socket.destroy()
  })

  test('HTTP-6: what follows # in a path is no part of it', async (t) => {
    const cloud = await startCloud(t)
    const port = Number(new URL(cloud.url).port)
    for (const path of ['/api#/account/me', '/streams/a#b/c']) {
      const request = Buffer.from(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
      assert.equal((await sendRaw(port, request, 20_000)).status, 404, path)
    }
  })

  test('LIM-32: the body of a 404 or 405 is not awaited', async (t) => {
    const cloud = await startCloud(t)
    for (const [line, status] of [
      ['POST /api/nowhere', 404],
      ['PUT /api/account/me', 405],
    ] as const) {
      const { socket, received } = await openConnection(t, cloud)
      socket.write(requestHead(line, 'nobody', 'Content-Length: 1000'))
      await withTimeout(20_000, once(socket, 'data'), 'no response')
      assert.match(received(), new RegExp(`^HTTP/1.1 ${status} `))
      assert.match(received(), /x-request-id/i)
      socket.destroy()
    }
  })

  test('LIM-33: a public endpoint accepts 16 KiB in five seconds without a credential', async (t) => {
    const cloud = await startCloud(t)
    const token = await cloud.token('ada@example.com')
    const status = async (path: string, bytes: number, credential?: string) => {
      const body = { name: 'a'.repeat(bytes) }
      return (await cloud.request('POST', path, { body, token: credential })).status
    }
    assert.equal(await status('/api/auth/exchange-token', 16_000), 400)
    assert.equal(await status('/api/auth/exchange-token', 16_384), 413)
    assert.equal(await status('/api/user-data/set-datetime', 16_384), 413)
    assert.equal(await status('/api/client/location', 16_384, token), 400)

    const late = ['/api/auth/exchange-token', '/api/error-report'].map(async (path) => {
      const { socket, received, closed } = await openConnection(t, cloud)
      socket.write(requestHead(`POST ${path}`, 'nobody', 'Content-Length: 1000'))
      await withTimeout(20_000, closed, `${path} did not time out`)
      assert.match(received(), /^HTTP\/1\.1 408 /)
    })
    await Promise.all(late)
  })

  async function openConnection(t: Scope, cloud: LocalCloud) {
    const socket = connect(cloud.cloud.port, '127.0.0.1')
    t.after(() => socket.destroy())
    let text = ''
    socket.on('data', (data) => {
      text += data
    })
    socket.on('error', () => {})
    const closed = new Promise<void>((resolve) => socket.once('close', resolve))
    await once(socket, 'connect')
    return { socket, closed, received: () => text }
  }

  const requestHead = (line: string, token: string, header: string) =>
    `${line} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n${header}\r\n\r\n`
})
