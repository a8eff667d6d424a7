import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { MultipartForm } from './multipart-form.ts'
import { createGuardedAgent, isForbiddenIp } from './public-address.ts'
import { WebhookClient } from './webhook-client.ts'

const hashOf = (key: string) => createHash('sha256').update(key).digest('hex')
const keys = ['gck_new_secret', 'gck_old_secret']
let server: Server
let publicUrl: string
let handleRequest: (request: IncomingMessage, response: ServerResponse, body: string) => void

before(async () => {
  server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += chunk)).on('end', () => handleRequest(request, response, body))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  publicUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
after(() => {
  server.closeAllConnections()
  server.close()
})

const client = new WebhookClient(() => createGuardedAgent(true), Date.now)
after(() => client.close())
/** One that no call reaches. */
const deadline = { timeoutMs: 60_000 }
const target = () => ({ publicUrl, signingKeys: keys.map(hashOf) })

test('WHK-1: a call posts JSON and returns the response', async () => {
  handleRequest = (request, response, body) => {
    assert.equal(request.method, 'POST')
    assert.equal(request.url, '/webhook')
    assert.deepEqual(JSON.parse(body), { type: 'session_request' })
    response.end('{"status":"success"}')
  }
  const result = await client.post(target(), '/webhook', { type: 'session_request' }, deadline)
  assert.deepEqual(result, { ok: true, status: 200, body: { status: 'success' } })
})

test('WHK-1: a public URL with a path, a query and credentials', async () => {
  handleRequest = ({ url, headers }, response) => response.end(JSON.stringify([url, headers.authorization]))
  const { host } = new URL(publicUrl)
  const call = async (address: string, bearer?: string) => {
    const response = await client.get({ ...target(), publicUrl: address }, '/health', { ...deadline, bearer })
    return response.body
  }
  const basic = `Basic ${Buffer.from('ada@home:p:w 5%').toString('base64')}`
  assert.deepEqual(await call(`http://ada%40home:p%3Aw%205%@${host}/base/?key=a/b#top`), [
    '/base/health?key=a/b',
    basic,
  ])
  assert.deepEqual(await call(`http://key@${host}`), [
    '/health',
    `Basic ${Buffer.from('key:').toString('base64')}`,
  ])
  assert.deepEqual(await call(`http://key@${host}/`, 'token'), ['/health', 'Bearer token'])
})

test('WHK-1 WHK-2: a GET request is signed with an empty body', async () => {
  handleRequest = (request, response, body) => {
    assert.deepEqual([request.method, request.url, body], ['GET', '/health', ''])
    const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signatures } = request.headers
    for (const key of keys) {
      const webhook = new Webhook(Buffer.from(hashOf(key), 'hex').toString('base64'))
      const signature = webhook.sign(String(id), new Date(Number(at) * 1000), '')
      assert.ok(String(signatures).split(' ').includes(signature))
    }
    response.end('{"status":"healthy"}')
  }
  const result = await client.get(target(), '/health', deadline)
  assert.deepEqual(result, { ok: true, status: 200, body: { status: 'healthy' } })
})

test('WHK-2: the live keys of the app verify the signature, other keys do not', async () => {
  handleRequest = (request, response, body) => {
    const headers = request.headers as Record<string, string>
    for (const key of keys) {
      new Webhook(Buffer.from(hashOf(key), 'hex').toString('base64')).verify(body, headers)
    }
    const otherKey = new Webhook(Buffer.from(hashOf('gck_other_secret'), 'hex').toString('base64'))
    assert.throws(() => otherKey.verify(body, headers))
    response.end('{}')
  }
  assert.equal((await client.post(target(), '/webhook', {}, deadline)).ok, true)
})

test('WHK-3: an error response is reported with its status and whether it is retryable', async () => {
  for (const [status, retryable] of [
    [500, true],
    [429, true],
    [404, false],
  ] as const) {
    handleRequest = (_, response) => response.writeHead(status).end('no')
    const result = await client.post(target(), '/webhook', {}, deadline)
    assert.ok(!result.ok)
    assert.deepEqual([result.code, result.retryable, result.status], [`REFUSED_${status}`, retryable, status])
  }
})

test('WHK-4: a missing response is reported as TIMEOUT, a refused connection with its network error', async () => {
  handleRequest = () => {}
  const silent = await client.post(target(), '/webhook', {}, { timeoutMs: 50 })
  assert.ok(!silent.ok && silent.code === 'TIMEOUT' && silent.retryable)
  const rejected = await client.post({ publicUrl: 'http://127.0.0.1:1', signingKeys: [] }, '/x', {}, deadline)
  assert.ok(!rejected.ok && rejected.code === 'ECONNREFUSED' && rejected.retryable)
})

test('WHK-5: unless private networks are allowed, only public addresses are called', async () => {
  let called = false
  handleRequest = (_, response) => {
    called = true
    response.end('{}')
  }
  const closed = new WebhookClient(() => createGuardedAgent(false), Date.now)
  const { port } = new URL(publicUrl)
  const hosts = [
    '127.0.0.1',
    'localhost',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '10.0.0.1',
    '169.254.169.254',
    '0.0.0.0',
    '100.64.0.1',
    // 127.0.0.1 and 10.0.0.1 through NAT64, and a prefix of which only its network knows where it leads.
    '[64:ff9b::127.0.0.1]',
    '[64:ff9b::10.0.0.1]',
    '[64:ff9b:1::8.8.8.8]',
  ]
  for (const host of hosts) {
    const result = await closed.post(
      { publicUrl: `http://${host}:${port}`, signingKeys: [] },
      '/',
      {},
      deadline,
    )
    assert.ok(!result.ok, host)
    assert.equal(result.code, 'FORBIDDEN_ADDRESS', host)
    assert.equal(result.retryable, false)
  }
  assert.equal(called, false)
  await closed.close()
  assert.equal(isForbiddenIp('[64:ff9b::8.8.8.8]'), false)
})

test('WHK-6: a response longer than 256 KiB is rejected', async () => {
  handleRequest = (_, response) => response.end('x'.repeat(300_000))
  const result = await client.post(target(), '/webhook', {}, deadline)
  assert.ok(!result.ok && result.code === 'ANSWER_TOO_LONG')
})

test('WHK-4: a call whose file cannot be read in time ends at its deadline', async () => {
  const open = () => new Promise<never>(() => {})
  const form = new MultipartForm({}, { field: 'photo', filename: 'a.png', type: 'image/png', size: 1, open })
  const result = await client.postForm(target(), '/photo-upload', form, { timeoutMs: 50 })
  assert.equal(!result.ok && result.code, 'TIMEOUT')
})

test('WHK-1: a form may consist of text fields only', async () => {
  const fields = { requestId: 'r1', success: 'false' }
  let received: unknown
  handleRequest = async (request, response, body) => {
    const headers = { 'content-type': String(request.headers['content-type']) }
    received = Object.fromEntries(await new Response(body, { headers }).formData())
    response.end('{}')
  }
  const form = new MultipartForm(fields)
  const result = await client.postForm(target(), '/photo-upload', form, deadline)
  assert.ok(result.ok)
  assert.deepEqual(received, fields)
})
