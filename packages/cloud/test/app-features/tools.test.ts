import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import type { Tool } from '@glasses-cloud/contract'
import { Webhook } from 'standardwebhooks'
import { Tools } from '../../src/features/tools/tools.ts'
import { type Fault, fault } from '../../src/http/fault.ts'
import { findFreePort } from '../../src/http/free-port.ts'
import { type Clock, systemClock } from '../../src/time/index.ts'
import { createGuardedAgent, WebhookClient } from '../../src/webhooks/index.ts'
import type { Scope } from '../support/scope.ts'
import { SdkApp } from '../support/sdk-app.ts'
import { type LocalCloud, startCloud, type TestRequest } from '../support/test-cloud.ts'

const packageName = 'dev.example.notes'
const email = 'ann-marie@example.com'

const note: Tool = {
  id: 'note',
  description: 'Takes a note',
  activationPhrases: ['note that'],
  parameters: {
    text: { type: 'string', description: 'What to note', required: true },
    priority: { type: 'number', description: 'How important', enum: [1, 2] },
  },
}
const forget: Tool = { id: 'forget', description: 'Forgets everything' }
const fail: Tool = { id: 'fail', description: 'Fails' }

/** A request that the app server received. */
interface Call {
  readonly path: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** Starts an app server that records its requests and sends the given responses. */
async function startToolServer(t: Scope, responses: (string | number | 'hang')[] = []) {
  const calls: Call[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => (text += chunk))
    request.on('end', () => {
      calls.push({ path: request.url, headers: request.headers, text })
      const body = responses.shift() ?? '{"status":"success","reply":"noted"}'
      if (body === 'hang') return
      if (typeof body === 'number')
        response.writeHead(body).end('{"status":"error","message":"secret reason"}')
      else response.end(body)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { calls, responses, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

/** A clock whose timers fire immediately and which records their delays. */
function immediateClock(): Clock & { readonly delays: number[] } {
  const delays: number[] = []
  return {
    now: () => systemClock.now(),
    monotonicNow: () => systemClock.monotonicNow(),
    after: (ms, run) => {
      delays.push(ms)
      return systemClock.after(0, run)
    },
    delays,
  }
}

/** Calls the tool endpoints with a token or query. */
function toolClient(cloud: LocalCloud, token: string | undefined, query = '') {
  const ask = (method: string, path: string, request: TestRequest = {}) =>
    cloud.request<Record<string, unknown>>(method, `/api/tools/${path}${query}`, { token, ...request })
  return {
    ofApp: (name = packageName) => ask('GET', `apps/${name}/tools`),
    ofUser: (userId = email) => ask('GET', `users/${encodeURIComponent(userId)}/tools`),
    call: (body: unknown, name = packageName) => ask('POST', `apps/${name}/tool`, { body }),
  }
}

const toolCall = { toolId: 'note', toolParameters: { text: 'milk', priority: 2 } }

describe('tools', () => {
  test('ATL-1 ATL-3 ATL-4: tools of visible, invisible and installed apps, by user and assistant', async (t) => {
    const cloud = await startCloud(t, {
      env: { SYSTEM_APPS: 'dev.example.system', API_KEY_PACKAGES: 'dev.example.assistant' },
    })
    await cloud.registerApp({ packageName, tools: [note, forget] })
    await cloud.registerApp({
      packageName: 'dev.example.draft',
      tools: [note],
      appStoreStatus: 'DEVELOPMENT',
    })
    await cloud.registerApp({ packageName: 'dev.example.other', tools: [note] })
    await cloud.registerApp({ packageName: 'dev.example.system', tools: [forget] })
    const legacy = { packageName: 'dev.example.old', name: 'Old', publicUrl: 'http://127.0.0.1:9' }
    await cloud.operator.apps.register(
      { ...legacy, appStoreStatus: 'PUBLISHED', tools: [{ id: 'odd' }, { ...forget }] },
      Date.now(),
    )
    const token = await cloud.token(email)
    const me = toolClient(cloud, token)
    assert.deepEqual((await me.ofApp()).body, [note, forget])
    assert.deepEqual((await me.ofApp('dev.example.old')).body, [forget])
    for (const name of ['dev.example.draft', 'nothing', '%00']) {
      const { status, body } = await me.ofApp(name)
      assert.deepEqual([status, body], [404, { error: 'App not found' }], name)
    }

    assert.deepEqual((await me.ofUser()).body, [{ ...forget, appPackageName: 'dev.example.system' }])
    for (const name of [packageName, 'dev.example.old'])
      await cloud.request('POST', `/api/apps/install/${name}`, { token })
    const all = [
      { ...note, appPackageName: packageName },
      { ...forget, appPackageName: packageName },
      { ...forget, appPackageName: 'dev.example.old' },
      { ...forget, appPackageName: 'dev.example.system' },
    ]
    assert.deepEqual((await me.ofUser()).body, all)
    assert.deepEqual((await me.ofUser(email.toUpperCase())).body, all)

    await cloud.token('bob@example.com')
    for (const other of ['bob@example.com', 'nobody@example.com', '\0'])
      assert.equal((await me.ofUser(other)).status, 403, other)
    const { apiKey } = await cloud.registerApp({ packageName: 'dev.example.assistant' })
    const as = (userId: string, key = apiKey) =>
      toolClient(
        cloud,
        undefined,
        `?${new URLSearchParams({ apiKey: key, packageName: 'dev.example.assistant', userId })}`,
      )
    assert.deepEqual((await as(email).ofUser()).body, all)
    assert.equal((await as('bob@example.com').ofUser()).status, 403)
    assert.equal((await as(email, `${apiKey}x`).ofUser()).status, 401)
    assert.equal((await toolClient(cloud, undefined).ofUser()).status, 401)
    assert.equal((await toolClient(cloud, undefined).call(toolCall)).status, 401)
  })

  test('ATL-5 ATL-6 ATL-7: a tool call is validated, signed and sent to an installed app', async (t) => {
    const cloud = await startCloud(t)
    const app = await startToolServer(t)
    const { apiKey } = await cloud.registerApp({ packageName, publicUrl: app.url, tools: [note, forget] })
    const token = await cloud.token(email)
    const me = toolClient(cloud, token)
    assert.equal((await me.call(toolCall)).status, 403)
    await cloud.request('POST', `/api/apps/install/${packageName}`, { token })

    const invalid: [body: unknown, status: number, message: RegExp][] = [
      [{ ...toolCall, toolId: 'other' }, 404, /^Tool not found$/],
      [{ toolId: 'note' }, 400, /^toolParameters\.text is required$/],
      [{ toolId: 'note', toolParameters: { text: 5 } }, 400, /^toolParameters\.text must be a string$/],
      [{ toolId: 'note', toolParameters: { text: ['x'] } }, 400, /toolParameters\.text/],
      [{ ...toolCall, toolParameters: { text: 'x'.repeat(10_001) } }, 400, /toolParameters\.text/],
      [{ ...toolCall, userId: 'bob@example.com' }, 403, /^userId must be the user/],
      [{ toolParameters: {} }, 400, /^toolId is required$/],
    ]
    for (const [body, status, message] of invalid) {
      const result = await me.call(body)
      assert.equal(result.status, status, String(message))
      assert.match(String(result.body.error), message)
    }
    assert.equal((await me.call(toolCall, 'nothing')).status, 404)
    assert.equal(app.calls.length, 0)

    const result = await me.call({ ...toolCall, userId: email.toUpperCase(), timestamp: 'never' })
    assert.deepEqual([result.status, result.body], [200, { status: 'success', reply: 'noted' }])
    const [call] = app.calls
    assert.ok(call)
    assert.equal(call.path, '/tool')
    const { timestamp, ...sent } = JSON.parse(call.text)
    assert.deepEqual(sent, { ...toolCall, userId: email })
    assert.ok(Math.abs(Date.now() - Date.parse(timestamp)) < 60_000)
    const secret = createHash('sha256').update(apiKey).digest('base64')
    new Webhook(secret).verify(call.text, call.headers as Record<string, string>)
    for (const secret of [token, apiKey, createHash('sha256').update(apiKey).digest('hex')])
      assert.ok(!JSON.stringify(call).includes(secret))

    const extra = { ...toolCall, toolParameters: { ...toolCall.toolParameters, size: 1, tags: ['a'] } }
    const answer = await me.call(extra)
    assert.deepEqual(
      [answer.status, answer.body],
      [200, { status: 'success', reply: 'noted', ignoredParameters: ['size', 'tags'] }],
    )
    assert.deepEqual(JSON.parse(app.calls.at(-1)?.text ?? '').toolParameters, toolCall.toolParameters)

    for (const [text, reply] of [
      ['{"status":"success","reply":null}', null],
      ['{"status":"success"}', null],
      [
        '{"status":"success","reply":"GIVE_APP_CONTROL_OF_TOOL_RESPONSE"}',
        'GIVE_APP_CONTROL_OF_TOOL_RESPONSE',
      ],
    ] as const) {
      app.responses.push(text)
      assert.deepEqual((await me.call({ toolId: 'forget' })).body, { status: 'success', reply })
    }
  })

  test('ATL-8 ATL-9: a retryable call is retried once with the same webhook id', async (t) => {
    const clock = immediateClock()
    const cloud = await startCloud(t, { overrides: { clock } })
    const app = await startToolServer(t)
    await cloud.registerApp({ packageName, publicUrl: app.url, tools: [note] })
    const token = await cloud.token(email)
    await cloud.request('POST', `/api/apps/install/${packageName}`, { token })
    const me = toolClient(cloud, token)
    const outcome = async (...responses: (string | number)[]) => {
      app.calls.length = 0
      clock.delays.length = 0
      app.responses.push(...responses)
      const { status, body } = await me.call(toolCall)
      const ids = app.calls.map(({ headers }) => headers['webhook-id'])
      assert.equal(new Set(ids).size, 1)
      app.responses.length = 0
      assert.deepEqual(clock.delays.filter((ms) => ms === 1_000).length, app.calls.length - 1)
      assert.ok(!JSON.stringify(body).includes('secret reason'))
      return [status, app.calls.length]
    }
    assert.deepEqual(await outcome(), [200, 1])
    assert.deepEqual(await outcome(500), [200, 2])
    assert.deepEqual(await outcome(503, 500), [502, 2])
    for (const status of [400, 404, 429, 302])
      assert.deepEqual(await outcome(status), [502, 1], String(status))
    for (const legacy of ['', 'null', '[]', '{"reply":"x"}', '{"status":"error"}'])
      assert.deepEqual(await outcome(legacy), [502, 1], legacy)
    const long = JSON.stringify({ status: 'success', reply: 'x'.repeat(300_000) })
    assert.deepEqual(await outcome(long), [502, 1], 'a response of more than 256 KiB')

    const port = await findFreePort()
    await cloud.registerApp({ packageName, publicUrl: `http://127.0.0.1:${port}`, tools: [note] })
    clock.delays.length = 0
    const { status, body } = await me.call(toolCall)
    assert.deepEqual([status, body], [502, { error: 'The app failed to run the tool' }])
    assert.equal(clock.delays.filter((ms) => ms === 1_000).length, 1)
  })

  test('ATL-9: a timed-out call is not retried', async (t) => {
    let now = Date.now()
    const clock: Clock = {
      now: () => now,
      monotonicNow: () => now,
      after: (ms, run) => {
        now += ms
        return systemClock.after(0, run)
      },
    }
    const cloud = await startCloud(t)
    const app = await startToolServer(t, ['hang', 503, 'hang'])
    const { apps, users } = cloud.operator
    await cloud.registerApp({ packageName, publicUrl: app.url, tools: [note] })
    const token = await cloud.token(email)
    await cloud.request('POST', `/api/apps/install/${packageName}`, { token })
    const [found, user] = [await apps.findByPackage(packageName), await users.findByEmail(email)]
    assert.ok(found && user)
    const timeouts: number[] = []
    class TimeoutRecordingClient extends WebhookClient {
      override post(...call: Parameters<WebhookClient['post']>) {
        timeouts.push(call[3].timeoutMs)
        return super.post(...call)
      }
    }
    const webhooks = new TimeoutRecordingClient(() => createGuardedAgent(true), Date.now)
    t.after(() => webhooks.close())
    const tools = new Tools({
      catalogue: cloud.cloud.features.catalogue.catalogue,
      apiKeys: cloud.cloud.apiKeyStore,
      webhooks,
      clock,
      signal: new AbortController().signal,
      callMs: 3_000,
    })
    const isTimeout = (error: Fault) => error.code === fault('TOOL_TIMEOUT').code
    await assert.rejects(tools.call(user, found, toolCall), isTimeout)
    assert.equal(app.calls.length, 1)
    await assert.rejects(tools.call(user, found, toolCall), isTimeout)
    assert.equal(app.calls.length, 3)
    assert.deepEqual(timeouts, [3_000, 3_000, 2_000], 'the retry has the remaining time')
  })

  test('ATL-9: a server at a private address is not called', async (t) => {
    const cloud = await startCloud(t, { env: { ALLOW_PRIVATE_NETWORKS: 'false' } })
    const app = await startToolServer(t)
    await cloud.registerApp({ packageName, publicUrl: app.url, tools: [note] })
    const token = await cloud.token(email)
    await cloud.request('POST', `/api/apps/install/${packageName}`, { token })
    assert.equal((await toolClient(cloud, token).call(toolCall)).status, 502)
    assert.equal(app.calls.length, 0)
  })

  test('ATL-10: an app on the SDK is called without being started', async (t) => {
    const cloud = await startCloud(t)
    await SdkApp.register(t, cloud, new URL('../apps/tools.ts', import.meta.url), {
      packageName,
      tools: [note, forget, fail],
    })
    const token = await cloud.token(email)
    await cloud.request('POST', `/api/apps/install/${packageName}`, { token })
    const me = toolClient(cloud, token)
    assert.deepEqual((await me.call(toolCall)).body, { status: 'success', reply: `${email} noted milk` })
    assert.deepEqual((await me.call({ toolId: 'forget' })).body, { status: 'success', reply: null })
    assert.equal((await me.call({ toolId: 'fail' })).status, 502)
  })
})
