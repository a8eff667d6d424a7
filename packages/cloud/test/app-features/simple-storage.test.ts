import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { PhoneApi } from '@glasses-cloud/phone'
import { startAppServer } from '../support/app-server.ts'
import { connectGlasses } from '../support/photo-app.ts'
import { type LocalCloud, startCloud, type TestRequest } from '../support/test-cloud.ts'

const email = 'ann-marie@example.com'
const notes = 'dev.my-app.notes'

/** Starts a cloud with a user, an installed app and an app that is not installed. */
async function startWithStorage(t: TestContext) {
  const cloud = await startCloud(t)
  const { apiKey } = await cloud.registerApp({ packageName: notes })
  const otherApp = await cloud.registerApp({ packageName: 'dev.stranger' })
  const token = await cloud.token(email)
  await new PhoneApi({ url: cloud.url, token }).install(notes)
  return { cloud, token, apiKey, otherApp, storage: storageOf(cloud, notes, apiKey) }
}

type Body = { readonly success: boolean; readonly message?: string; readonly data?: Record<string, string> }

/** Calls simple storage as the app SDK does. */
function storageOf(cloud: LocalCloud, packageName: string, apiKey: string, of = email) {
  const path = `/api/sdk/simple-storage/${encodeURIComponent(of)}`
  const call = (method: string, key?: string, body?: unknown) => {
    const request: TestRequest = { headers: { authorization: `Bearer ${packageName}:${apiKey}` } }
    return cloud.request<Body>(
      method,
      key === undefined ? path : `${path}/${encodeURIComponent(key)}`,
      body === undefined ? request : { ...request, body },
    )
  }
  return {
    call,
    put: (data: unknown) => call('PUT', undefined, { data }),
    all: async () => (await call('GET')).body.data,
  }
}

const unusualKeys = [
  'a.b.c',
  'a/b',
  '..',
  '%2F',
  '$set',
  'ключ 🗝',
  'x'.repeat(500),
  ' ',
  'constructor',
  'a\0b',
  '\ud800',
]

describe('simple storage', () => {
  test('STG-1 STG-2 STG-3: values are merged, read and deleted one by one or all', async (t) => {
    const { storage } = await startWithStorage(t)
    assert.deepEqual((await storage.call('GET')).body, { success: true, data: {} })
    assert.deepEqual((await storage.call('DELETE')).body.success, false)
    assert.deepEqual((await storage.put({ a: '1', b: '2' })).body, { success: true })
    await storage.put({ b: '3', c: '' })
    assert.deepEqual(await storage.all(), { a: '1', b: '3', c: '' })
    assert.deepEqual((await storage.call('PUT', 'd', { value: '4' })).body, { success: true })
    assert.deepEqual((await storage.call('GET', 'd')).body, { success: true, data: { value: '4' } })
    assert.deepEqual((await storage.call('DELETE', 'd')).body, { success: true })
    for (const method of ['GET', 'DELETE']) {
      const absent = await storage.call(method, 'd')
      assert.deepEqual([absent.status, absent.body.success], [404, false], method)
    }
    assert.deepEqual((await storage.call('DELETE')).body, { success: true })
    const again = await storage.call('DELETE')
    assert.deepEqual([again.status, again.body.success], [404, false])
    assert.deepEqual(await storage.all(), {})
  })

  test('STG-4: keys and values are stored verbatim', async (t) => {
    const { storage } = await startWithStorage(t)
    for (const key of unusualKeys.filter((each) => each.isWellFormed() && each !== '..')) {
      const value = `of ${key} \0 \ud83d 💾`
      assert.equal((await storage.call('PUT', key, { value })).status, 200, key)
      assert.equal((await storage.call('GET', key)).body.data?.value, value, key)
      assert.equal((await storage.call('DELETE', key)).status, 200, key)
    }
    const data = JSON.parse(
      `{"__proto__":"p",${unusualKeys.map((key) => `${JSON.stringify(key)}:"v"`).join()}}`,
    )
    assert.equal((await storage.put(data)).status, 200)
    const stored = await storage.all()
    assert.ok(stored)
    assert.deepEqual(Object.keys(stored).sort(), Object.keys(data).sort())
    assert.equal((await storage.call('GET', '__proto__')).body.data?.value, 'p')
  })

  test('STG-5 STG-6: invalid, oversized or too many values are rejected and change nothing', async (t) => {
    const { storage } = await startWithStorage(t)
    const long = 'ä'.repeat(100_000)
    await storage.put({ kept: 'unchanged' })
    for (const [data, status] of [
      [{ kept: 'x', n: 1 }, 400],
      [{ kept: 'x', n: null }, 400],
      [{ kept: 'x', long: `${long}x` }, 400],
      [{ kept: 'x', '': 'v' }, 400],
      [{ kept: 'x', ['k'.repeat(501)]: 'v' }, 400],
      [[], 400],
      [undefined, 400],
    ] as const) {
      const response = await storage.put(data)
      assert.deepEqual(
        [response.status, response.body.success],
        [status, false],
        JSON.stringify(data)?.slice(0, 50),
      )
      assert.equal(typeof response.body.message, 'string')
    }
    assert.equal((await storage.call('PUT', 'kept', { value: 1 })).status, 400)
    assert.equal((await storage.call('PUT', 'k'.repeat(501), { value: 'v' })).status, 400)
    assert.deepEqual(await storage.all(), { kept: 'unchanged' })
    for (const n of [1, 2, 3, 4]) assert.equal((await storage.put({ [`k${n}`]: long })).status, 200)
    const over = await storage.put({ kept: 'x', k5: long })
    assert.deepEqual([over.status, over.body.success], [413, false])
    // Replacing a value by a shorter one frees exactly the difference.
    const used = 4 * (2 + 200_000) + Buffer.byteLength('keptunchanged')
    const room = 1_000_000 - used - 2
    const values = { k5: 'x'.repeat(100_000), k6: 'x'.repeat(room - 100_000 - 2) }
    assert.equal((await storage.put({ ...values, k6: `${values.k6}x` })).status, 413)
    assert.equal((await storage.put(values)).status, 200)
    assert.equal((await storage.put({ k7: '' })).status, 413)
    assert.equal((await storage.call('DELETE', 'k1')).status, 200)
    assert.equal((await storage.put({ k7: '' })).status, 200)
  })

  test('STG-6: there are at most 10,000 keys', async (t) => {
    const { storage } = await startWithStorage(t)
    const keys = (from: number, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${from + n}`, '']))
    assert.equal((await storage.put(keys(0, 10_001))).status, 413)
    assert.equal((await storage.put(keys(0, 10_000))).status, 200)
    assert.equal((await storage.put(keys(9_999, 2))).status, 413)
    assert.equal(Object.keys((await storage.all()) ?? {}).length, 10_000)
  })

  test('STG-7: concurrent writes lose nothing and respect the limit together', async (t) => {
    const { storage } = await startWithStorage(t)
    const responses = await Promise.all(
      Array.from({ length: 16 }, (_, n) => storage.put({ [`k${n}`]: 'x'.repeat(99_000) })),
    )
    const statuses = responses.map(({ status }) => status).sort()
    assert.deepEqual(statuses, [...Array(10).fill(200), ...Array(6).fill(413)])
    assert.equal(Object.keys((await storage.all()) ?? {}).length, 10)
  })

  test('STG-8: storage is separate per app and user', async (t) => {
    const { cloud, storage, otherApp } = await startWithStorage(t)
    const eve = await cloud.token('eve@example.com')
    for (const app of [notes, otherApp.packageName])
      await new PhoneApi({ url: cloud.url, token: eve }).install(app)
    await storage.put({ a: 'of Ann-Marie' })
    const own = (await cloud.registerApp({ packageName: notes })).apiKey
    const evesNotes = storageOf(cloud, notes, own, 'eve@example.com')
    const evesOther = storageOf(cloud, otherApp.packageName, otherApp.apiKey, 'EVE@example.com')
    await evesOther.put({ a: 'of another app' })
    assert.deepEqual(await evesNotes.all(), {})
    assert.deepEqual((await evesNotes.call('DELETE')).status, 404)
    assert.deepEqual(await evesOther.all(), { a: 'of another app' })
    assert.deepEqual(await storageOf(cloud, notes, own).all(), { a: 'of Ann-Marie' })
  })

  test('STG-9: only the key of the same package authorizes access', async (t) => {
    const { cloud, token, apiKey, otherApp } = await startWithStorage(t)
    const path = `/api/sdk/simple-storage/${email}`
    for (const bearer of [
      undefined,
      token,
      apiKey,
      `${notes}:`,
      `:${apiKey}`,
      `${notes}:${apiKey}x`,
      `${notes}:${apiKey}:${apiKey}`,
      `${notes}:${otherApp.apiKey}`,
      `${otherApp.packageName}:${apiKey}`,
    ]) {
      const request = bearer === undefined ? {} : { headers: { authorization: `Bearer ${bearer}` } }
      const response = await cloud.request<Body>('GET', path, request)
      assert.deepEqual([response.status, response.body.success], [401, false], bearer)
    }
  })

  test('STG-10: an app that is not installed gets 403 whether or not the user exists', async (t) => {
    const { cloud, otherApp } = await startWithStorage(t)
    const responses = await Promise.all(
      [email, 'nobody@example.com'].map(async (of) => {
        const { status, body } = await storageOf(cloud, otherApp.packageName, otherApp.apiKey, of).call('GET')
        return { status, body }
      }),
    )
    assert.equal(responses[0]?.status, 403)
    assert.equal(responses[0]?.body.success, false)
    assert.deepEqual(responses[0], responses[1])
  })

  test('STG-10: an app has access while it runs and after it has stored something', async (t) => {
    const { cloud, token } = await startWithStorage(t)
    const packageName = 'dev.running'
    const server = await startAppServer(t, packageName)
    server.apiKey = (await cloud.registerApp({ packageName, publicUrl: server.url })).apiKey
    const storage = storageOf(cloud, packageName, server.apiKey)
    await connectGlasses(t, cloud, token)
    const phone = new PhoneApi({ url: cloud.url, token })
    await phone.startApp(packageName)
    assert.equal((await storage.call('GET')).status, 200)
    await phone.stopApp(packageName)
    await server.called('stop_request')
    await phone.startApp(packageName)
    await storage.put({ a: '1' })
    await phone.stopApp(packageName)
    assert.deepEqual(await storage.all(), { a: '1' })
  })

  test('STG-11: storage is part of the data export and deleted with the account', async (t) => {
    const { cloud, token, storage } = await startWithStorage(t)
    const texts = Object.fromEntries(Array.from({ length: 120 }, (_, n) => [`key/${n}`, `text ${n}`]))
    await storage.put(texts)
    const requested = await cloud.request<{ id: string }>('POST', '/api/account/request-export', {
      token,
      body: { format: 'json' },
    })
    await cloud.cloud.features.personalData.exports.idle()
    const response = await cloud.request<Record<string, Record<string, unknown>>>(
      'GET',
      `/api/account/download-export/${requested.body.id}`,
      { token },
    )
    const exported = JSON.stringify(response.body)
    for (const [key, value] of Object.entries(texts)) {
      assert.ok(exported.includes(`${notes}/${key}`), key)
      assert.ok(exported.includes(value), value)
    }
    const deleted = await cloud.request('POST', '/api/account/request-deletion', { token, body: {} })
    assert.equal(deleted.status, 200)
    const left = await cloud.cloud.db.selectFrom('storage_values').selectAll().execute()
    assert.deepEqual(left, [])
    assert.equal((await storage.call('GET')).status, 403)
  })
})
