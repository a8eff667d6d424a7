import assert from 'node:assert/strict'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { onPostgres } from '../../src/db/testing.ts'
import { FakeSpeechServer, speechKey } from '../../src/features/tts/testing/fake-speech-server.ts'
import { startNodes } from '../support/local-nodes.ts'
import { redisMissing } from '../support/redis.ts'
import { type LocalCloud, startCloud } from '../support/test-cloud.ts'

describe('a node of several', { skip: redisMissing }, () => {
  test('SHARE-60: metrics of the only node have no label', async (t) => {
    const cloud = await startCloud(t)
    const { body } = await cloud.request<string>('GET', '/metrics')
    assert.match(body, /^user_sessions 0$/m)
  })

  onPostgres((database) => {
    test('SHARE-60 SHARE-61: metrics are labeled, and speech is cached outside the shared folder', async (t) => {
      const { url } = await FakeSpeechServer.start(t)
      const speech = { TTS_PROVIDER: 'elevenlabs', TTS_BASE_URL: url, TTS_API_KEY: speechKey, TTS_VOICE: 'v' }
      const [cloud] = await startNodes(t, database, 1, { env: { NODE_NAME: 'node-1', ...speech } })
      assert.ok(cloud)
      const { body } = await cloud.request<string>('GET', '/metrics')
      assert.match(body, /^user_sessions\{node="node-1"\} 0$/m)
      assert.match(body, /^process_cpu_seconds_total\{node="node-1"\} /m)
      for (const expected of [200, 200])
        assert.equal((await fetch(`${cloud.url}/api/tts?text=hello`)).status, expected)
      await assert.rejects(stat(join(String(cloud.env.DATA_DIR), 'tts-cache')), { code: 'ENOENT' })
    })
  })
})

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
