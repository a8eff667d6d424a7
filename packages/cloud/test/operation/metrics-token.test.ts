import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startCloud } from '../support/test-cloud.ts'

const token = 'a metrics token of some length'.replaceAll(' ', '-')

describe('operation settings', () => {
  test('HTTP-33: METRICS_TOKEN protects /metrics, and no other endpoint accepts it', async (t) => {
    const { url } = await startCloud(t, { env: { METRICS_TOKEN: token } })
    const get = (path: string, authorization?: string) =>
      fetch(url + path, { ...(authorization && { headers: { authorization } }) })
    const open = await get('/metrics', `Bearer ${token}`)
    assert.equal(open.status, 200)
    assert.match(await open.text(), /^process_cpu_seconds_total /m)
    for (const authorization of [
      undefined,
      `Bearer ${token}x`,
      `Bearer ${token.slice(1)}`,
      `Basic ${token}`,
    ]) {
      const response = await get('/metrics', authorization)
      assert.deepEqual([response.status, await response.json()], [401, { error: 'Unauthorized' }])
    }
    assert.equal((await get('/healthz')).status, 200)
    assert.equal((await get('/api/account/me', `Bearer ${token}`)).status, 401)
  })

  test('HTTP-34: true, and addresses of proxies', async (t) => {
    const warnings = async (TRUST_PROXY: string) =>
      (await startCloud(t, { env: { TRUST_PROXY, LOG_LEVEL: 'warn' } })).logged.filter(({ msg }) =>
        String(msg).startsWith('TRUST_PROXY=true'),
      )
    assert.deepEqual(
      (await warnings('true')).map(({ level }) => level),
      [40],
    )
    assert.deepEqual(await warnings('10.0.0.0/8'), [])
  })
})
