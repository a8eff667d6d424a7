import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { onPostgres } from '../../src/db/testing.ts'
import { startNodes } from '../support/local-nodes.ts'
import { redisMissing } from '../support/redis.ts'
import type { LocalCloud } from '../support/test-cloud.ts'

describe('the test whether a phone reaches the cloud, on three nodes', { skip: redisMissing }, () => {
  onPostgres((database) => {
    test('CON-274: it is started at one node, reported at another, and read at the third', async (t) => {
      const [one, two, three] = (await startNodes(t, database, 3)) as [LocalCloud, LocalCloud, LocalCloud]
      const token = await one.token('ada@example.com')
      const { body } = await one.request<{ code: string }>('POST', '/api/reachability-tests', { token })
      const state = async () => {
        const options = { token, body: { code: body.code } }
        return (await three.request('POST', '/api/reachability-tests/result', options)).body
      }
      assert.deepEqual(await state(), { state: 'waiting' })
      const reports = await Promise.all(
        [two, three, one, two].map((node) =>
          node.request('POST', '/api/reachability-tests/report', { body: { code: body.code } }),
        ),
      )
      assert.deepEqual(reports.map(({ status }) => status).sort(), [200, 404, 404, 404])
      assert.deepEqual(await state(), { state: 'reached' })
    })
  })
})
