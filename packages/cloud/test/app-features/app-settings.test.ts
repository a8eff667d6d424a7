import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import { OS_SETTING_DEFAULTS } from '@glasses-cloud/contract'
import {
  type Body,
  declared,
  email,
  packageName,
  settingsCalls,
  startApp,
  startWithSettings,
  waitUntil,
} from '../support/settings-rig.ts'

/** Valid and invalid values for each key. */
const values: Readonly<Record<string, readonly [valid: readonly unknown[], invalid: readonly unknown[]]>> = {
  bold: [
    [true, false],
    ['true', 1, null],
  ],
  name: [
    ['', 'Ann \0'],
    [1, null, ['a'], 'x'.repeat(20_001)],
  ],
  nick: [['n'], [false]],
  size: [
    ['s', 'b'],
    ['Small', 'c', null, 1],
  ],
  font: [['b'], ['']],
  parts: [
    [[], ['s'], ['b', 's']],
    ['s', ['c'], ['s', 's'], null],
  ],
  speed: [
    [1, 9, 2.5],
    [0, 10, '5', null],
  ],
  count: [
    [0, 1e9],
    [-1, '1'],
  ],
  alarm: [
    [0, 86_399],
    [-1, 86_400, 1.5, '1'],
  ],
  unknown: [[], [1]],
  Looks: [[], ['x']],
  Version: [[], ['x']],
}

describe('app settings', () => {
  test('SET-1 SET-2: the settings page of an app returns its declarations with the effective values', async (t) => {
    const { request, page, save } = await startWithSettings(t)
    const { status, body } = await request('GET', `/tpasettings/${packageName}`)
    const { settings, ...rest } = body
    assert.equal(status, 200)
    assert.deepEqual(rest, {
      success: true,
      userId: email,
      name: 'Set me',
      description: '',
      uninstallable: true,
      webviewURL: '',
      version: '1.0.0',
      permissions: [],
      organization: null,
    })
    assert.deepEqual(
      settings,
      declared.map((each) => ('defaultValue' in each ? { ...each, selected: each.defaultValue } : each)),
    )
    assert.equal((await save({ key: 'bold', value: true })).body.success, true)
    const list = [
      { key: 'size', value: 'b' },
      { key: 'count', value: 1 },
      { key: 'count', value: 2 },
    ]
    assert.equal((await save(list)).status, 200)
    assert.equal((await save([])).status, 200)
    const after = await page()
    assert.deepEqual([after.bold, after.size, after.count, after.nick], [true, 'b', 2, 'n'])
  })

  test('SET-3: every type accepts only valid values; a list is saved completely or not at all', async (t) => {
    const { page, save } = await startWithSettings(t)
    for (const [key, [valid, invalid]] of Object.entries(values)) {
      for (const value of valid) {
        assert.equal((await save({ key, value })).status, 200, `${key} ${JSON.stringify(value)}`)
        assert.deepEqual((await page())[key], value)
      }
      const before = await page()
      for (const value of invalid) {
        const { status, body } = await save([
          { key: 'nick', value: 'changed' },
          { key, value },
        ])
        assert.equal(status, 400, `${key} ${JSON.stringify(value)}`)
        assert.match(String(body.error), new RegExp(`^${key} `))
      }
      assert.deepEqual(await page(), before)
    }
    for (const body of [{}, { key: 'bold' }, [{ value: 1 }], 'x', [Array(3)]])
      assert.equal((await save(body)).status, 400, JSON.stringify(body))
  })

  test('SET-4 SET-5: values that no longer fit are ignored; an invisible app returns 404', async (t) => {
    const rig = await startWithSettings(t)
    const { cloud, request, page, save } = rig
    await save({ key: 'size', value: 'b' })
    const settings = [{ type: 'toggle', key: 'size', label: 'Size', defaultValue: true }]
    await cloud.registerApp({ packageName, settings })
    assert.deepEqual(await page(), { size: true })
    await cloud.registerApp({ packageName: 'dev.draft', appStoreStatus: 'DEVELOPMENT', settings })
    for (const [method, body] of [
      ['GET', undefined],
      ['POST', { key: 'size', value: true }],
    ] as const) {
      for (const app of ['dev.draft', 'dev.none', 'no name']) {
        const result = await request(method, `/appsettings/${encodeURIComponent(app)}`, body)
        assert.deepEqual([result.status, result.body], [404, { error: 'App not found' }], app)
      }
      const anonymous = await cloud.request('GET', `/appsettings/${packageName}`)
      assert.equal(anonymous.status, 401)
    }
    await cloud.registerApp({ packageName: cloud.cloud.config.apps.dashboard, name: 'Dashboard' })
    assert.equal((await request('GET', '/appsettings/com.augmentos.dashboard')).body.name, 'Dashboard')
  })

  test('SET-6 SET-7: changes are sent to a connected app by socket, otherwise by webhook', async (t) => {
    const rig = await startWithSettings(t)
    const { server, save, phone, cloud } = rig
    await save({ key: 'size', value: 'b' })
    await phone.install(packageName)
    await save({ key: 'nick', value: 'by webhook' })
    await waitUntil(() => settingsCalls(server).length === 1)
    const [call] = settingsCalls(server)
    assert.ok(call)
    assert.equal(call.userIdForSettings, email)
    const sentSettings = Object.fromEntries((call.settings as Body[]).map(({ key, value }) => [key, value]))
    assert.deepEqual(
      [sentSettings.nick, sentSettings.size, sentSettings.bold, 'Looks' in sentSettings],
      ['by webhook', 'b', false, false],
    )

    const { appSocket, ack, sessionId } = await startApp(t, rig)
    const inAck = ack?.settings as Body[]
    assert.deepEqual(inAck, call.settings)
    await save([{ key: 'nick', value: 'by socket' }])
    const [update] = await appSocket.wait('settings_update')
    const [os] = await appSocket.wait('augmentos_settings_update')
    assert.deepEqual([update?.packageName, update?.sessionId], [packageName, sessionId])
    assert.deepEqual(
      update?.settings,
      inAck.map((each) => (each.key === 'nick' ? { ...each, value: 'by socket' } : each)),
    )
    assert.deepEqual(os?.settings, OS_SETTING_DEFAULTS)
    assert.deepEqual(
      appSocket.received.map(({ type }) => type).filter((type) => String(type).endsWith('settings_update')),
      ['settings_update', 'augmentos_settings_update'],
    )
    assert.equal(settingsCalls(server).length, 1)

    server.behavior = 500
    await phone.stopApp(packageName)
    assert.equal((await save({ key: 'nick', value: 'refused' })).status, 200)
    await waitUntil(() => settingsCalls(server).length === 2)
    assert.equal((await rig.page()).nick, 'refused')
    await cloud.stop()
  })

  test('SET-17: saves during a pending webhook are coalesced into one further webhook', async (t) => {
    const { cloud, save, phone, page } = await startWithSettings(t)
    const sentSettings: Body[] = []
    const pendingResponses: (() => void)[] = []
    const slowServer = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk) => chunks.push(chunk))
      request.on('end', () => {
        sentSettings.push(JSON.parse(Buffer.concat(chunks).toString()))
        pendingResponses.push(() => response.end('{}'))
      })
    }).listen(0, '127.0.0.1')
    await once(slowServer, 'listening')
    t.after(() => slowServer.close())
    t.after(() => slowServer.closeAllConnections())
    const { port } = slowServer.address() as AddressInfo
    await cloud.registerApp({ packageName, settings: declared, publicUrl: `http://127.0.0.1:${port}` })
    await phone.install(packageName)
    await save({ key: 'nick', value: 'first' })
    await waitUntil(() => sentSettings.length === 1)
    for (let n = 1; n <= 5; n += 1) await save({ key: 'nick', value: `save ${n}` })
    pendingResponses[0]?.()
    await waitUntil(() => sentSettings.length === 2)
    pendingResponses[1]?.()
    // Enough time for an unexpected further webhook.
    for (let n = 0; n < 20; n += 1) await page()
    await cloud.stop()
    const nicks = sentSettings.map(
      ({ settings }) => (settings as Body[]).find(({ key }) => key === 'nick')?.value,
    )
    assert.deepEqual(nicks, ['first', 'save 5'])
  })

  test('SET-18 SET-19: an app session id is valid on the host of the app, or with its key, and is not logged', async (t) => {
    const rig = await startWithSettings(t, { TRUST_PROXY: 'true', LOG_LEVEL: 'trace' })
    const { cloud, server } = rig
    const other = await cloud.registerApp({ packageName: 'dev.other' })
    const { sessionId, appSocket } = await startApp(t, rig)
    const status = async (headers: Record<string, string>) => {
      const path = `/appsettings/user/${packageName}`
      return (await cloud.request('GET', path, { token: sessionId, headers })).status
    }
    const elsewhere = { 'x-forwarded-for': '203.0.113.7' }
    assert.equal(await status({}), 200)
    assert.equal(await status({ 'x-forwarded-for': '::1' }), 200)
    assert.equal(await status(elsewhere), 401)
    assert.equal(await status({ ...elsewhere, 'x-api-key': other.apiKey }), 401)
    assert.equal(await status({ ...elsewhere, 'x-api-key': server.apiKey }), 200)
    const [userSessionId = ''] = sessionId.split('-')
    assert.equal(JSON.stringify(cloud.logged).includes(userSessionId), false)
    appSocket.socket.close()
    const hosted = cloud.cloud.sessions.byUserSessionId(userSessionId)
    await waitUntil(() => hosted?.session.run('appAddress', [packageName]) === undefined)
    assert.equal(await status({}), 401)
  })

  test('SET-9: only the app session id of a live session of the app reads its settings', async (t) => {
    const rig = await startWithSettings(t)
    const { cloud, request, save, token, phone } = rig
    await save({ key: 'nick', value: 'mine' })
    const { sessionId } = await startApp(t, rig)
    const path = `/appsettings/user/${packageName}`
    const { status, body } = await request('GET', path, undefined, sessionId)
    assert.equal(status, 200)
    const settings = body.settings as Body[]
    assert.equal(settings.find(({ key }) => key === 'nick')?.value, 'mine')
    await cloud.registerApp({ packageName: 'dev.other', settings: declared })
    const [userSessionId] = sessionId.split('-')
    for (const bearer of [
      email,
      `${email}-${packageName}`,
      token,
      userSessionId,
      `${userSessionId}-`,
      `-${packageName}`,
      `${userSessionId}-dev.other`,
      `x${sessionId}`,
    ])
      assert.equal((await request('GET', path, undefined, bearer)).status, 401, bearer)
    assert.equal((await request('GET', '/appsettings/user/dev.other', undefined, sessionId)).status, 401)
    assert.equal((await cloud.request('GET', path)).status, 401)
    await phone.stopApp(packageName)
    await waitUntil(() => rig.server.calls.some(({ type }) => type === 'stop_request'))
    let after = 200
    for (let tries = 0; after !== 401 && tries < 100; tries += 1)
      after = (await request('GET', path, undefined, sessionId)).status
    assert.equal(after, 401)
  })
})
