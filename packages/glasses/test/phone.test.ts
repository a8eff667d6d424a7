import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Phone, PhoneError } from '../src/index.ts'
import { SmallCloud } from './small-cloud.ts'

describe('Phone', () => {
  test('SIM-48: the calls of a wearer', async (t) => {
    const calls: string[] = []
    const cloud = await SmallCloud.open(t, {
      onRequest: (request, response) => {
        calls.push(`${request.method} ${request.url} ${request.headers.authorization}`)
        const app = { packageName: 'a.b', name: 'A', is_running: true }
        const data = request.url === '/api/apps' ? [app, { packageName: 'c.d', name: 'C' }] : [app]
        response.end(JSON.stringify({ success: true, data }))
      },
    })
    const phone = new Phone({ url: cloud.url, token: 't' })
    assert.deepEqual(await phone.apps(), [
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
  })

  test('SIM-48: a refusal in any style', async (t) => {
    let answer = ''
    const cloud = await SmallCloud.open(t, {
      onRequest: (_request, response) => {
        response.writeHead(404).end(answer)
      },
    })
    const phone = new Phone({ url: cloud.url, token: 't' })
    for (const [body, message] of [
      ['{"success":false,"message":"App not found"}', 'App not found'],
      ['{"error":"User not found"}', 'User not found'],
      ['{"error":"STREAM_NOT_FOUND","message":"No such stream"}', 'No such stream'],
      ['<html>', 'Status 404'],
    ] as const) {
      answer = body
      await assert.rejects(phone.startApp('a.b'), (error: unknown) => {
        assert.ok(error instanceof PhoneError)
        assert.deepEqual([error.status, error.message], [404, message])
        return true
      })
    }
  })
})
