import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { test } from 'node:test'
import { startCloud } from '../support/test-cloud.ts'

test('SOC-46: a request that offers an upgrade to HTTP/2 is answered over HTTP/1.1', async (t) => {
  const cloud = await startCloud(t)
  const sent = request(`${cloud.url}/healthz`, {
    headers: { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABkAAQAAP__' },
    signal: AbortSignal.timeout(20_000),
  })
  sent.end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  response.resume()
  assert.equal(response.statusCode, 200)
})
