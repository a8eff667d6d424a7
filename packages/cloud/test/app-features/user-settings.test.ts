import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { OS_SETTING_DEFAULTS } from '@glasses-cloud/contract'
import { type Body, email, startApp, startWithSettings } from '../support/settings-rig.ts'

describe('user settings', () => {
  const path = '/api/client/user/settings'
  const settingsIn = ({ body }: { body: Body }) => (body.data as Body).settings

  test('SET-10 SET-13: settings are merged, without tokens', async (t) => {
    const { request } = await startWithSettings(t)
    assert.deepEqual(settingsIn(await request('GET', path)), {})
    const first = { theme_preference: 'dark', notifications_blocklist: ['a'], 'preferred_mic:G1': 'auto' }
    assert.deepEqual(settingsIn(await request('POST', path, { settings: first })), first)
    const { theme_preference: _, ...rest } = first
    const change = { theme_preference: null, core_token: 'secret', Core_Token: 'secret', brightness: 3 }
    const all = { ...rest, brightness: 3 }
    assert.deepEqual(settingsIn(await request('PUT', path, { settings: change })), all)
    assert.deepEqual(settingsIn(await request('GET', path)), all)
  })

  test('SET-11 SET-13 SET-14: single settings, under either name', async (t) => {
    const { request } = await startWithSettings(t)
    const one = async (method: string, key: string, body?: unknown) =>
      (await request(method, `${path}/key/${encodeURIComponent(key)}`, body)).body.data
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
    assert.deepEqual(settingsIn(await request('GET', path)), {
      metric_system: true,
      metric_system_enabled: true,
    })
    await one('DELETE', 'metric_system_enabled')
    assert.deepEqual(settingsIn(await request('GET', path)), {})
  })

  test('SET-12: invalid and too many settings', async (t) => {
    const { request } = await startWithSettings(t)
    const all = { brightness: 3, theme_preference: 'dark', language: 'en', voice: 'low' }
    await request('PUT', path, { settings: all })
    const manySettings = Object.fromEntries(Array.from({ length: 297 }, (_, n) => [`k${n}`, n]))
    const invalid = { ['k'.repeat(1_000)]: 1, '': 1, 'a\0': 1, long: 'x'.repeat(20_000) }
    for (const [key, value] of Object.entries(invalid)) {
      if (key === '') continue
      const { status, body } = await request('PUT', `${path}/key/${encodeURIComponent(key)}`, { value })
      assert.deepEqual([status, typeof body.error], [400, 'string'], key)
    }
    assert.equal((await request('DELETE', `${path}/key/a%00`)).status, 400)
    for (const body of [
      {},
      { settings: null },
      { settings: [] },
      [],
      { settings: { brightness: 4, ...manySettings } },
    ])
      assert.equal((await request('PUT', path, body)).status, 400)
    assert.deepEqual(settingsIn(await request('GET', path)), all)
    const saved = await request('PUT', path, { settings: { voice: 'high', ...invalid } })
    assert.deepEqual(
      [settingsIn(saved), saved.body.ignored],
      [
        { ...all, voice: 'high' },
        [`settings.${'k'.repeat(191)}`, 'settings.', 'settings.a\0', 'settings.long'],
      ],
    )
    await request('PUT', `${path}/key/voice`, { value: 'low' })
    const { brightness: _, ...rest } = all
    assert.deepEqual(
      settingsIn(await request('PUT', path, { settings: { ...manySettings, brightness: null } })),
      { ...rest, ...manySettings },
    )
  })

  test('SET-15 SET-20 SET-23: a changed user setting is stored and sent to running apps with all settings', async (t) => {
    const rig = await startWithSettings(t)
    const { request } = rig
    const { appSocket, ack, glasses } = await startApp(t, rig)
    assert.deepEqual(
      [ack?.mentraosSettings, ack?.augmentosSettings],
      [OS_SETTING_DEFAULTS, OS_SETTING_DEFAULTS],
    )
    const path = '/api/client/user/settings'
    await request('POST', path, { settings: { brightness: 9, theme_preference: 'dark' } })
    await request('PUT', `${path}/key/metric_system_enabled`, { value: true })
    await request('PUT', path, { settings: { theme_preference: 'light' } })
    await request('DELETE', `${path}/key/brightness`)
    const updates = await appSocket.wait('augmentos_settings_update', 3)
    assert.deepEqual(
      updates.map(({ settings }) => settings),
      [
        { ...OS_SETTING_DEFAULTS, brightness: 9 },
        { ...OS_SETTING_DEFAULTS, brightness: 9, metricSystemEnabled: true },
        { ...OS_SETTING_DEFAULTS, metricSystemEnabled: true },
      ],
    )
    const unreadable = { brightness: 'bright', head_up_angle: true }
    const saved = await request('PUT', path, {
      settings: { ...unreadable, dashboard_height: '6', metric_system: 1 },
    })
    assert.deepEqual(saved.body.ignored, ['settings.brightness', 'settings.head_up_angle'])
    assert.equal((await request('PUT', `${path}/key/brightness`, { value: 'bright' })).status, 400)
    const [read] = (await appSocket.wait('augmentos_settings_update', 4)).slice(3)
    assert.deepEqual(read?.settings, {
      ...OS_SETTING_DEFAULTS,
      metricSystemEnabled: true,
      dashboardHeight: 6,
    })

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
    await appSocket.wait('augmentos_settings_update', 5)
    const { body } = await request('GET', path)
    const stored = (body.data as Body).settings as Body
    assert.deepEqual([stored.brightness, stored.contextual_dashboard], [77, false])
    glasses.send({ type: 'request_settings' })
    const response = await glasses.waitForMessage('settings_update')
    assert.deepEqual(response.settings, {
      ...OS_SETTING_DEFAULTS,
      brightness: 77,
      contextualDashboard: false,
      metricSystemEnabled: true,
      dashboardHeight: 6,
    })
  })

  test('SET-16: changing default_wearable does not connect glasses', async (t) => {
    const rig = await startWithSettings(t)
    const { request, cloud } = rig
    const { appSocket } = await startApp(t, rig)
    const settings = { default_wearable: 'Mentra Live' }
    await request('PUT', '/api/client/user/settings', { settings: { ...settings, brightness: 1 } })
    await appSocket.wait('augmentos_settings_update')
    assert.deepEqual(
      appSocket.received.filter(({ type }) => type === 'capabilities_update'),
      [],
    )
    const user = await cloud.operator.users.findByEmail(email)
    const session = await cloud.cloud.sessions.find(user?.id ?? '')
    assert.equal(await session?.glasses(), null)
  })
})
