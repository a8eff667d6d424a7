import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { OS_SETTING_DEFAULTS } from '@glasses-cloud/contract'
import { Glasses, Phone } from '@glasses-cloud/glasses'
import { WebSocket } from 'ws'
import { eachDatabase, type TestDatabase } from '../../src/db/testing.ts'
import { type AppServer, startAppServer } from '../support/app-server.ts'
import { startCloud } from '../support/test-cloud.ts'

const email = 'ann-marie@example.com'
const packageName = 'dev.my-app.settings'

const options = [
  { label: 'Small', value: 's' },
  { label: 'Big', value: 'b' },
]

const declared = [
  { type: 'group', title: 'Looks' },
  { type: 'toggle', key: 'bold', label: 'Bold', defaultValue: false },
  { type: 'text', key: 'name', label: 'Name' },
  { type: 'text_no_save_button', key: 'nick', label: 'Nick', defaultValue: 'n' },
  { type: 'select', key: 'size', label: 'Size', options, defaultValue: 's' },
  { type: 'select_with_search', key: 'font', label: 'Font', options, defaultValue: 'b' },
  { type: 'multiselect', key: 'parts', label: 'Parts', options, defaultValue: [] },
  { type: 'slider', key: 'speed', label: 'Speed', min: 1, max: 9, defaultValue: 5 },
  { type: 'numeric_input', key: 'count', label: 'Count', min: 0 },
  { type: 'time_picker', key: 'alarm', label: 'Alarm' },
  { type: 'titleValue', label: 'Version', value: '1.2' },
]

/** Valid and invalid values for each key. */
const values: Readonly<Record<string, readonly [good: readonly unknown[], bad: readonly unknown[]]>> = {
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

type Body = Record<string, unknown>

/** Starts a cloud with a user and an app that declares settings. */
async function startWithSettings(t: TestContext, database?: TestDatabase) {
  const cloud = await startCloud(t, database ? { database } : {})
  const server = await startAppServer(t, packageName)
  server.apiKey = (
    await cloud.registerApp({ packageName, publicUrl: server.url, name: 'Set me', settings: declared })
  ).apiKey
  const token = await cloud.token(email)
  const ask = (method: string, path: string, body?: unknown, as: string | undefined = token) =>
    cloud.request<Body>(method, path, { token: as, body })
  const page = async () => {
    const { body } = await ask('GET', `/appsettings/${packageName}`)
    const settings = body.settings as Body[]
    return Object.fromEntries(settings.flatMap(({ key, selected }) => (key ? [[key, selected]] : [])))
  }
  const save = (body: unknown) => ask('POST', `/appsettings/${packageName}`, body)
  return { cloud, server, token, ask, page, save, phone: new Phone({ url: cloud.url, token }) }
}

/** Records the messages received on an app socket. */
class AppSocketRecorder {
  readonly received: Body[] = []
  readonly socket: WebSocket

  constructor(socket: WebSocket) {
    this.socket = socket
    socket.on('message', (data) => this.received.push(JSON.parse(String(data))))
  }

  async wait(type: string, count = 1): Promise<Body[]> {
    const signal = AbortSignal.timeout(20_000)
    for (;;) {
      const found = this.received.filter((message) => message.type === type)
      if (found.length >= count) return found
      await once(this.socket, 'message', { signal })
    }
  }
}

/** Starts the app and connects its socket. */
async function startApp(
  t: TestContext,
  { cloud, server, token, phone }: Awaited<ReturnType<typeof startWithSettings>>,
) {
  const glasses = new Glasses({ url: cloud.url, token, model: null, reconnect: false })
  t.after(() => glasses.disconnect())
  await glasses.connect()
  await phone.startApp(packageName)
  const { sessionId } = await server.called('session_request')
  const socket = new WebSocket(`${cloud.wsUrl}/app-ws`)
  t.after(() => socket.terminate())
  const appSocket = new AppSocketRecorder(socket)
  await once(socket, 'open')
  socket.send(JSON.stringify({ type: 'tpa_connection_init', sessionId, packageName, apiKey: server.apiKey }))
  const [ack] = await appSocket.wait('tpa_connection_ack')
  return { glasses, appSocket, sessionId, ack }
}

const settingsCalls = ({ calls }: AppServer) =>
  (calls as unknown as Body[]).filter(({ userIdForSettings }) => userIdForSettings !== undefined)

/** Waits until a condition is true. */
async function waitUntil(holds: () => boolean): Promise<void> {
  const signal = AbortSignal.timeout(20_000)
  while (!holds()) {
    signal.throwIfAborted()
    await new Promise((resolve) => setImmediate(resolve))
  }
}

describe('settings', () => {
  eachDatabase((database) => {
    test('SET-1 SET-2: the settings page of an app returns its declarations with the effective values', async (t) => {
      const { ask, page, save } = await startWithSettings(t, database)
      const { status, body } = await ask('GET', `/tpasettings/${packageName}`)
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
      const { page, save } = await startWithSettings(t, database)
      for (const [key, [good, bad]] of Object.entries(values)) {
        for (const value of good) {
          assert.equal((await save({ key, value })).status, 200, `${key} ${JSON.stringify(value)}`)
          assert.deepEqual((await page())[key], value)
        }
        const before = await page()
        for (const value of bad) {
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

    test('SET-10 SET-11 SET-12 SET-13 SET-14: user settings are read, merged, replaced and deleted', async (t) => {
      const { ask } = await startWithSettings(t, database)
      const path = '/api/client/user/settings'
      const settingsIn = ({ body }: { body: Body }) => (body.data as Body).settings
      assert.deepEqual(settingsIn(await ask('GET', path)), {})
      const first = { theme_preference: 'dark', notifications_blocklist: ['a'], 'preferred_mic:G1': 'auto' }
      assert.deepEqual(settingsIn(await ask('POST', path, { settings: first })), first)
      const { theme_preference: _, ...rest } = first
      const change = { theme_preference: null, core_token: 'secret', Core_Token: 'secret', brightness: 3 }
      assert.deepEqual(settingsIn(await ask('PUT', path, { settings: change })), { ...rest, brightness: 3 })

      const one = async (method: string, key: string, body?: unknown) =>
        (await ask(method, `${path}/key/${encodeURIComponent(key)}`, body)).body.data
      assert.deepEqual(await one('GET', 'a/b'), { key: 'a/b', value: null, exists: false })
      assert.deepEqual(await one('PUT', 'a/b', { value: { c: [1] } }), { key: 'a/b', value: { c: [1] } })
      assert.deepEqual(await one('GET', 'a/b'), { key: 'a/b', value: { c: [1] }, exists: true })
      assert.deepEqual(await one('DELETE', 'a/b'), { key: 'a/b', deleted: true })
      assert.deepEqual(await one('PUT', 'core_token', { value: 'secret' }), {
        key: 'core_token',
        value: null,
      })

      await one('PUT', 'metric_system_enabled', { value: true })
      assert.deepEqual(await one('GET', 'metric_system'), { key: 'metric_system', value: true, exists: true })
      const all = { ...rest, brightness: 3, metric_system: true, metric_system_enabled: true }
      assert.deepEqual(settingsIn(await ask('GET', path)), all)

      const manySettings = Object.fromEntries(Array.from({ length: 297 }, (_, n) => [`k${n}`, n]))
      for (const settings of [
        { brightness: 4, ['k'.repeat(201)]: 1 },
        { brightness: 4, '': 1 },
        { brightness: 4, 'a\0': 1 },
        { brightness: 4, long: 'x'.repeat(20_000) },
        { brightness: 4, ...manySettings },
      ]) {
        const { status, body } = await ask('PUT', path, { settings })
        assert.deepEqual([status, typeof body.error], [400, 'string'])
      }
      for (const body of [{}, { settings: null }, { settings: [] }, []])
        assert.equal((await ask('PUT', path, body)).status, 400)
      assert.deepEqual(settingsIn(await ask('GET', path)), all)
      await one('DELETE', 'metric_system_enabled')
      assert.deepEqual(
        settingsIn(await ask('PUT', path, { settings: { ...manySettings, brightness: null } })),
        {
          ...rest,
          ...manySettings,
        },
      )
    })
  })

  test('SET-4 SET-5: values that no longer fit are ignored; an invisible app returns 404', async (t) => {
    const rig = await startWithSettings(t)
    const { cloud, ask, page, save } = rig
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
        const answer = await ask(method, `/appsettings/${encodeURIComponent(app)}`, body)
        assert.deepEqual([answer.status, answer.body], [404, { error: 'App not found' }], app)
      }
      const anonymous = await cloud.request('GET', `/appsettings/${packageName}`)
      assert.equal(anonymous.status, 401)
    }
    await cloud.registerApp({ packageName: cloud.cloud.config.apps.dashboard, name: 'Dashboard' })
    assert.equal((await ask('GET', '/appsettings/com.augmentos.dashboard')).body.name, 'Dashboard')
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

    server.behaviour = 500
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

  test('SET-9: only the app session id of a live session of the app reads its settings', async (t) => {
    const rig = await startWithSettings(t)
    const { cloud, ask, save, token, phone } = rig
    await save({ key: 'nick', value: 'mine' })
    const { sessionId } = await startApp(t, rig)
    const path = `/appsettings/user/${packageName}`
    const { status, body } = await ask('GET', path, undefined, sessionId)
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
      assert.equal((await ask('GET', path, undefined, bearer)).status, 401, bearer)
    assert.equal((await ask('GET', '/appsettings/user/dev.other', undefined, sessionId)).status, 401)
    assert.equal((await cloud.request('GET', path)).status, 401)
    await phone.stopApp(packageName)
    await waitUntil(() => rig.server.calls.some(({ type }) => type === 'stop_request'))
    let after = 200
    for (let tries = 0; after !== 401 && tries < 100; tries += 1)
      after = (await ask('GET', path, undefined, sessionId)).status
    assert.equal(after, 401)
  })

  test('SET-15 SET-20 SET-23: a changed user setting is stored and sent to running apps with all settings', async (t) => {
    const rig = await startWithSettings(t)
    const { ask } = rig
    const { appSocket, ack, glasses } = await startApp(t, rig)
    assert.deepEqual(
      [ack?.mentraosSettings, ack?.augmentosSettings],
      [OS_SETTING_DEFAULTS, OS_SETTING_DEFAULTS],
    )
    const path = '/api/client/user/settings'
    await ask('POST', path, { settings: { brightness: 9, theme_preference: 'dark' } })
    await ask('PUT', `${path}/key/metric_system_enabled`, { value: true })
    await ask('PUT', path, { settings: { theme_preference: 'light' } })
    await ask('DELETE', `${path}/key/brightness`)
    const updates = await appSocket.wait('augmentos_settings_update', 3)
    assert.deepEqual(
      updates.map(({ settings }) => settings),
      [
        { ...OS_SETTING_DEFAULTS, brightness: 9 },
        { ...OS_SETTING_DEFAULTS, brightness: 9, metricSystemEnabled: true },
        { ...OS_SETTING_DEFAULTS, metricSystemEnabled: true },
      ],
    )
    for (const settings of [{ brightness: '9' }, { metric_system: 1 }, { head_up_angle: true }])
      assert.equal((await ask('PUT', path, { settings })).status, 400)

    glasses.send({
      type: 'core_status_update',
      status: {
        status: {
          core_info: { contextual_dashboard_enabled: false },
          connected_glasses: {},
          glasses_settings: { brightness: 77 },
        },
      },
    })
    await appSocket.wait('augmentos_settings_update', 4)
    const { body } = await ask('GET', path)
    const stored = (body.data as Body).settings as Body
    assert.deepEqual([stored.brightness, stored.contextual_dashboard], [77, false])
    glasses.send({ type: 'request_settings' })
    const answer = await glasses.waitForMessage('settings_update')
    assert.deepEqual(answer.settings, {
      ...OS_SETTING_DEFAULTS,
      brightness: 77,
      contextualDashboard: false,
      metricSystemEnabled: true,
    })
  })

  test('SET-16: changing default_wearable does not connect glasses', async (t) => {
    const rig = await startWithSettings(t)
    const { ask, cloud } = rig
    const { appSocket } = await startApp(t, rig)
    const settings = { default_wearable: 'Mentra Live' }
    await ask('PUT', '/api/client/user/settings', { settings: { ...settings, brightness: 1 } })
    await appSocket.wait('augmentos_settings_update')
    assert.deepEqual(
      appSocket.received.filter(({ type }) => type === 'capabilities_update'),
      [],
    )
    const user = await cloud.operator.users.findByEmail(email)
    const session = await cloud.cloud.sessions.find(user?.id ?? '')
    assert.equal(await session?.capabilities(), null)
  })
})
