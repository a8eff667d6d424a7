import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { before, describe, test } from 'node:test'
import tls from 'node:tls'
import { type AppPing, PING_HOPS } from '@glasses-cloud/contract'
import { Glasses } from '@glasses-cloud/phone'
import { findFreePort } from '../../src/http/free-port.ts'
import { startAppServer } from '../support/app-server.ts'
import { selfSigned } from '../support/certificates.ts'
import { cli } from '../support/cli.ts'
import { createDeveloper, type Developer, newPackageName } from '../support/developer.ts'
import { type Scope, suiteScope } from '../support/scope.ts'
import { SdkApp } from '../support/sdk-app.ts'
import { type LocalCloud, startCloud } from '../support/test-cloud.ts'

/** Starts a server on a free port. @returns the port */
async function listen(t: Scope, server: Server & { closeAllConnections(): void }): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return (server.address() as AddressInfo).port
}

const serve = async (t: Scope, listener: RequestListener) =>
  `http://127.0.0.1:${await listen(t, createServer(listener))}`

async function pingApp(developer: Developer, packageName: string): Promise<AppPing> {
  const { status, body } = await developer.call('POST', `/apps/${packageName}/ping`)
  assert.equal(status, 200, body.message)
  return body.data as unknown as AppPing
}

const statuses = ({ hops }: AppPing) => Object.fromEntries(hops.map(({ hop, status }) => [hop, status]))

function hopOf({ hops }: AppPing, name: (typeof PING_HOPS)[number]) {
  const found = hops.find(({ hop }) => hop === name)
  assert.ok(found)
  return found
}

async function connectGlasses(t: Scope, cloud: LocalCloud, { token }: Developer): Promise<void> {
  const glasses = new Glasses({ url: cloud.url, token, reconnect: false })
  t.after(() => glasses.disconnect())
  await glasses.connect()
}

describe('developer API: ping', () => {
  const scope = suiteScope()
  let cloud: LocalCloud

  before(async () => {
    cloud = await startCloud(scope)
  })

  /** Pings an app at an address. */
  async function ping(publicUrl: string, on = cloud) {
    const ada = await createDeveloper(on, 'ada')
    const packageName = newPackageName()
    await ada.create(packageName, { publicUrl })
    return pingApp(ada, packageName)
  }

  test('DAPI-54 DAPI-55 CLI-66: an app on the SDK passes every hop, in a session of its developer only', async (t) => {
    const ada = await createDeveloper(cloud, 'ada')
    const bob = await createDeveloper(cloud, 'bob')
    const packageName = newPackageName()
    const port = await findFreePort()
    const apiKey = await ada.create(packageName, {
      publicUrl: `http://127.0.0.1:${port}`,
      appStoreStatus: 'PUBLISHED',
    })
    const app = await SdkApp.start(t, { app: 'captions', packageName, apiKey, port })

    const env = { ...cloud.env, HOME: String(cloud.env.DATA_DIR) }
    const remote = { ...env, GLASSES_CLOUD_URL: cloud.url, GLASSES_CLOUD_TOKEN: ada.token }
    const { code, out } = await cli(remote, 'app', 'ping', packageName)
    assert.equal(code, 0)
    assert.match(out, /^webhook +passed +\d+ ms {2}The webhook responded/m)
    assert.match(out, /^socket +skipped +\d+ ms {2}You have no session/m)
    assert.ok(!app.lines.some((line) => /session (started|stopped)/.test(line)))

    await connectGlasses(t, cloud, bob)
    const start = await cloud.request('POST', `/api/apps/${packageName}/start`, { token: bob.token })
    assert.equal(start.status, 200)
    const state = async (developer: Developer) =>
      (await (await cloud.cloud.sessions.find(developer.id))?.appState())?.activeApps
    await connectGlasses(t, cloud, ada)
    const result = await pingApp(ada, packageName)
    assert.deepEqual([result.ok, result.failedHop], [true, undefined])
    assert.deepEqual(
      result.hops.map(({ hop }) => hop),
      PING_HOPS,
    )
    const { name, address, webhook, signature, socket, key } = statuses(result)
    assert.deepEqual([name, address, webhook, signature, socket, key], Array(6).fill('passed'))
    assert.equal(hopOf(result, 'socket').message, 'The app connected to your session')
    assert.deepEqual([await state(ada), await state(bob)], [[], [packageName]])

    // An app that runs is not restarted.
    await cloud.request('POST', `/api/apps/${packageName}/start`, { token: ada.token })
    assert.equal(hopOf(await pingApp(ada, packageName), 'socket').status, 'passed')
    assert.deepEqual([await state(ada), await state(bob)], [[packageName], [packageName]])
  })

  test('DAPI-55: a wrong API key fails the key; another app of the caller is not stopped', async (t) => {
    const ada = await createDeveloper(cloud, 'ada')
    const packageName = newPackageName()
    const server = await startAppServer(t, packageName)
    const apiKey = await ada.create(packageName, { publicUrl: server.url })
    await connectGlasses(t, cloud, ada)
    server.apiKey = 'gck_wrong'
    const wrong = await pingApp(ada, packageName)
    assert.deepEqual([wrong.ok, wrong.failedHop], [false, 'key'])
    assert.equal(hopOf(wrong, 'socket').status, 'passed')
    assert.match(hopOf(wrong, 'key').message, /AUTHENTICATION, INVALID_API_KEY/)
    assert.match(String(hopOf(wrong, 'key').action), /live API key/)
    server.behavior = 'never-connect'
    assert.match(hopOf(await pingApp(ada, packageName), 'socket').message, /CONNECTION, NO_CONNECTION/)

    server.behavior = 'connect'
    server.apiKey = apiKey
    assert.equal(hopOf(await pingApp(ada, packageName), 'socket').status, 'passed')
    const other = newPackageName()
    const otherServer = await startAppServer(t, other)
    otherServer.apiKey = await ada.create(other, { publicUrl: otherServer.url })
    assert.equal((await cloud.request('POST', `/api/apps/${other}/start`, { token: ada.token })).status, 200)
    const skipped = hopOf(await pingApp(ada, packageName), 'socket')
    assert.equal(skipped.status, 'skipped')
    assert.ok(skipped.message.startsWith(`${other} is running`))
    const session = await cloud.cloud.sessions.find(ada.id)
    assert.deepEqual((await session?.appState())?.activeApps, [other])
  })

  test('DAPI-50 DAPI-53: an unreachable port fails the webhook, and the later hops are skipped', async () => {
    const result = await ping(`http://127.0.0.1:${await findFreePort()}`)
    assert.deepEqual([result.ok, result.failedHop], [false, 'webhook'])
    assert.deepEqual(statuses(result), {
      name: 'passed',
      address: 'passed',
      tls: 'info',
      webhook: 'failed',
      signature: 'skipped',
      socket: 'skipped',
      key: 'skipped',
    })
    assert.match(hopOf(result, 'webhook').message, /ECONNREFUSED/)
    assert.match(String(hopOf(result, 'webhook').action), /Start the app server/)
    assert.ok(result.hops.every(({ durationMs }) => Number.isInteger(durationMs)))
  })

  test('DAPI-30 DAPI-50: a key that cannot sign is listed as such, and named by the test', async () => {
    const ada = await createDeveloper(cloud, 'ada')
    const packageName = newPackageName()
    await ada.create(packageName, { publicUrl: 'http://127.0.0.1:9' })
    const keys = async () => {
      const { data } = (await ada.call('GET', `/apps/${packageName}/keys`)).body
      return data as unknown as { id: string; isSigning: boolean }[]
    }
    const [key] = await keys()
    assert.equal(key?.isSigning, true)
    await cloud.cloud.db
      .updateTable('api_keys')
      .set({ secret_id: 'of an earlier AUTH_SECRET' })
      .where('key_id', '=', String(key?.id))
      .execute()
    assert.equal((await keys())[0]?.isSigning, false)
    const result = await pingApp(ada, packageName)
    assert.equal(result.failedHop, 'name')
    assert.match(hopOf(result, 'name').message, /AUTH_SECRET has changed/)
    assert.match(String(hopOf(result, 'name').action), /Create another key/)
  })

  test('DAPI-53: the webhook is judged by the status of its response', async (t) => {
    for (const [status, expected, about, body = '{}'] of [
      [200, 'passed', undefined],
      [400, 'passed', /declined the test call.+as it should/, '{"message":"Unknown webhook request type"}'],
      [400, 'info', /without saying/],
      [400, 'info', /without saying/, 'null'],
      [422, 'info', /without saying/],
      [429, 'failed', /too many calls/],
      [410, 'failed', /refused the call/],
      [301, 'failed', /redirect/],
      [401, 'failed', /signature/],
      [404, 'failed', /no webhook/],
      [500, 'failed', /status 500: the app server failed/],
      [503, 'failed', /proxy/],
    ] as const) {
      const calls: unknown[] = []
      const url = await serve(t, async (request, response) => {
        let sent = ''
        for await (const chunk of request) sent += chunk
        calls.push([request.method, request.url, JSON.parse(sent)])
        response.writeHead(status).end(body)
      })
      const { status: actual, message, action } = hopOf(await ping(url), 'webhook')
      assert.equal(actual, expected, `${status}: ${message}`)
      assert.equal(action === undefined, expected === 'passed')
      if (about) assert.match(message, about)
      const [method, path, call] = calls[0] as [string, string, Record<string, string>]
      assert.deepEqual([method, path, call.type], ['POST', '/webhook', 'ping'])
      assert.equal(call.userId, 'ping@glasses-cloud.invalid')
    }
  })

  test('DAPI-54: tells whether a wrong signature is rejected', async (t) => {
    const ada = await createDeveloper(cloud, 'ada')
    const packageName = newPackageName()
    let respond = (_isFirst: boolean): [number, string] => [200, '{}']
    let seen = 0
    const signatures = new Set<unknown>()
    const publicUrl = await serve(t, (request, response) => {
      signatures.add(request.headers['webhook-signature'])
      const [status, body] = respond(seen++ % 2 === 0)
      response.writeHead(status).end(body)
    })
    await ada.create(packageName, { publicUrl })
    const signature = async () => hopOf(await pingApp(ada, packageName), 'signature')
    assert.deepEqual((await signature()).status, 'info')
    assert.equal(signatures.size, 2)
    respond = () => [400, '{"message":"unknown type"}']
    assert.match((await signature()).message, /as to a correct one/)
    respond = (isFirst) => (isFirst ? [400, '{"message":"unknown type"}'] : [400, '{"message":"signature"}'])
    assert.equal((await signature()).status, 'passed')
    respond = (isFirst) => [isFirst ? 200 : 401, '{}']
    assert.match((await signature()).message, /rejects a wrong signature with status 401/)
    respond = (isFirst) => [isFirst ? 200 : 500, '{}']
    assert.match((await signature()).message, /cannot be told/)
  })

  test('DAPI-52: an invalid certificate fails, a trusted one passes', async (t) => {
    const server = createHttpsServer({ ...selfSigned }, (_, response) => response.end('{}'))
    const port = await listen(t, server)
    const untrusted = await ping(`https://localhost:${port}`)
    assert.equal(untrusted.failedHop, 'tls')
    assert.match(hopOf(untrusted, 'tls').message, /DEPTH_ZERO_SELF_SIGNED_CERT/)
    assert.match(String(hopOf(untrusted, 'tls').action), /certificate of a public authority/)
    const plain = await serve(t, (_, response) => response.end('{}'))
    assert.match(hopOf(await ping(plain.replace('http:', 'https:')), 'tls').message, /TLS handshake/)
    const closed = await ping(`https://localhost:${await findFreePort()}`)
    assert.match(hopOf(closed, 'tls').message, /ECONNREFUSED/)

    const authorities = tls.getCACertificates('default')
    tls.setDefaultCACertificates([selfSigned.cert])
    t.after(() => tls.setDefaultCACertificates(authorities))
    const trusted = await ping(`https://localhost:${port}`)
    assert.deepEqual([statuses(trusted).tls, statuses(trusted).webhook], ['passed', 'passed'])
    assert.match(hopOf(trusted, 'tls').message, /valid until/)
    assert.match(hopOf(await ping(`https://127.0.0.1:${port}`), 'tls').message, /another name/)
  })

  test('DAPI-51: an unknown host and a private address', async (t) => {
    const unknown = await ping('https://app.invalid')
    assert.equal(unknown.failedHop, 'address')
    assert.match(hopOf(unknown, 'address').message, /app\.invalid/)
    const guarded = await startCloud(t, { env: { ALLOW_PRIVATE_NETWORKS: 'false' } })
    let calls = 0
    const url = await serve(t, (_, response) => {
      calls += 1
      response.end('{}')
    })
    for (const address of [url, url.replace('127.0.0.1', 'localhost')]) {
      const result = await ping(address, guarded)
      assert.equal(result.failedHop, 'address')
      assert.match(hopOf(result, 'address').message, /not a public address/)
    }
    assert.equal(calls, 0)
  })
})
