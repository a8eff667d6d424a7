import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { PhoneApi, PhoneError } from '../src/index.ts'
import { FakeCloud } from './support/fake-cloud.ts'

describe('Phone', () => {
  test('SIM-48: requests of the phone', async (t) => {
    const calls: string[] = []
    const cloud = await FakeCloud.start(t, {
      onRequest: (request, response) => {
        calls.push(`${request.method} ${request.url} ${request.headers.authorization}`)
        const app = { packageName: 'a.b', name: 'A', is_running: true }
        const data = request.url === '/api/apps' ? [app, { packageName: 'c.d', name: 'C' }] : [app]
        response.end(JSON.stringify({ success: true, data }))
      },
    })
    const phone = new PhoneApi({ url: cloud.url, token: 't' })
    assert.deepEqual(await phone.listApps(), [
      { packageName: 'a.b', name: 'A', installed: true, running: true },
      { packageName: 'c.d', name: 'C', installed: false, running: false },
    ])
    calls.length = 0
    await phone.install('a/b')
    await phone.startApp('a.b')
    await phone.stopApp('a.b')
    await phone.uninstall('a.b')
    assert.deepEqual(calls, [
      'POST /api/apps/install/a%2Fb Bearer t',
      'POST /api/apps/a.b/start Bearer t',
      'POST /api/apps/a.b/stop Bearer t',
      'POST /api/apps/uninstall/a.b Bearer t',
    ])
    calls.length = 0
    await new PhoneApi({ url: `${cloud.url}/at/home`, token: 't' }).install('a.b')
    assert.deepEqual(calls, ['POST /at/home/api/apps/install/a.b Bearer t'])
  })

  test('the phone reports its state and settings over REST', async (t) => {
    const calls: unknown[] = []
    const cloud = await FakeCloud.start(t, {
      onRequest: async (request, response) => {
        const chunks: Buffer[] = []
        for await (const chunk of request) chunks.push(chunk)
        calls.push([`${request.method} ${request.url}`, JSON.parse(Buffer.concat(chunks).toString())])
        response.end('{"reply":"done"}')
      },
    })
    const phone = new PhoneApi({ url: cloud.url, token: 't' })
    const notification = { notificationId: 'n', app: 'Mail', title: 'Ada', content: 'Tea?' }
    const dismissed = { notificationId: 'n', notificationKey: 'k', packageName: 'mail' }
    const event = { id: 'e', title: 'Tea', startDate: '2026-01-31T12:00:00Z' }
    await phone.reportDeviceState({ batteryLevel: 5 })
    await phone.sendNotification(notification)
    await phone.dismissNotification(dismissed)
    await phone.sendCalendar([event])
    await phone.sendDateTime('2026-01-31T12:00:00+02:00')
    await phone.updateAppSettings('a.b', { loud: true })
    await phone.updateSettings({ brightness: 9 })
    assert.equal(await phone.callTool('a.b', 'show', { text: 'Tea' }), 'done')
    assert.deepEqual(calls, [
      ['POST /api/client/device/state', { batteryLevel: 5 }],
      ['POST /api/client/notifications', notification],
      ['POST /api/client/notifications/dismissed', dismissed],
      ['POST /api/client/calendar', { events: [event] }],
      ['POST /api/user-data/set-datetime', { coreToken: 't', datetime: '2026-01-31T12:00:00+02:00' }],
      ['POST /appsettings/a.b', [{ key: 'loud', value: true }]],
      ['POST /api/client/user/settings', { settings: { brightness: 9 } }],
      ['POST /api/tools/apps/a.b/tool', { toolId: 'show', toolParameters: { text: 'Tea' } }],
    ])
  })

  test('a web view is opened with a token, the URL of the cloud and a proof of the key', async (t) => {
    let webviewURL: string | null = 'pending'
    const cloud = await FakeCloud.start(t, {
      onRequest: (request, response) => {
        const { pathname, search } = new URL((request.url ?? '').replace(/^\/at\/home/, ''), 'http://any')
        const responses: Record<string, unknown> = {
          '/appsettings/a.b': { webviewURL },
          '/api/auth/generate-webview-token': { token: 'once' },
          '/api/auth/hash-with-api-key': { hash: 'proof' },
          '/page': search,
        }
        response.end(JSON.stringify(responses[pathname]))
      },
    })
    const phone = new PhoneApi({ url: cloud.url, token: 't' })
    webviewURL = `${cloud.url}/page?lang=en`
    const query = new URLSearchParams(String(await (await phone.openWebView('a.b')).json()))
    assert.deepEqual(Object.fromEntries(query), {
      lang: 'en',
      aos_temp_token: 'once',
      cloudApiUrl: cloud.url,
      cloudApiUrlChecksum: 'proof',
    })
    const behindPath = new PhoneApi({ url: `${cloud.url}/at/home/`, token: 't' })
    const queryBehindPath = new URLSearchParams(String(await (await behindPath.openWebView('a.b')).json()))
    assert.equal(queryBehindPath.get('cloudApiUrl'), `${cloud.url}/at/home`)
    webviewURL = null
    await assert.rejects(phone.openWebView('a.b'), /The app has no web view/)
  })

  test('SIM-48: error responses in every style', async (t) => {
    let responseBody = ''
    const cloud = await FakeCloud.start(t, {
      onRequest: (_request, response) => {
        response.writeHead(404).end(responseBody)
      },
    })
    const phone = new PhoneApi({ url: cloud.url, token: 't' })
    for (const [body, message] of [
      ['{"success":false,"message":"App not found"}', 'App not found'],
      ['{"error":"User not found"}', 'User not found'],
      ['{"error":"STREAM_NOT_FOUND","message":"No such stream"}', 'No such stream'],
      [
        '{"success":false,"message":"Error starting app","error":{"stage":"WEBHOOK","code":"TIMEOUT"}}',
        'Error starting app (WEBHOOK, TIMEOUT)',
      ],
      ['<html>', 'Status 404'],
    ] as const) {
      responseBody = body
      await assert.rejects(phone.startApp('a.b'), (error: unknown) => {
        assert.ok(error instanceof PhoneError)
        assert.deepEqual([error.status, error.message], [404, message])
        return true
      })
    }
  })
})
