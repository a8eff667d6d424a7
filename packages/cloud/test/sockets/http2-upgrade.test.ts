import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { test } from 'node:test'
import { startCloud } from '../support/test-cloud.ts'

test('SOC-46: a request that offers HTTP/2 is answered as the plain request it is', async (t) => {
  const cloud = await startCloud(t)
  const asked = request(`${cloud.url}/healthz`, {
    headers: { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABkAAQAAP__' },
    signal: AbortSignal.timeout(10_000),
  })
  asked.end()
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  answer.resume()
  assert.equal(answer.statusCode, 200)
})
