import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startCloud, type TestCloud } from '../support/test-cloud.ts'

test('STR-131: a viewer is counted by the node that they reached, and not by the node with the stream', async (t) => {
  const owner = await startCloud(t, { env: { REST_LIMIT_PER_MINUTE: '20' } })
  const reached = await startCloud(t, { env: { ...owner.env } })
  const { id } = await owner.operator.users.findOrCreate('ada@example.com', 1)
  await owner.cloud.db
    .insertInto('stream_inputs')
    .values({
      name: 'input',
      provider: 'local',
      input_id: 'input',
      holder: 'owner',
      node_url: owner.url,
      renewed_at: Date.now(),
      user_id: id,
    })
    .execute()
  const path = '/streams/input/token'
  const watch = async ({ url }: TestCloud, headers: Record<string, string> = {}) => {
    const response = await fetch(`${url}${path}`, { headers })
    return [response.status, Number(response.headers.get('ratelimit-remaining'))]
  }
  for (let remaining = 19; remaining >= 0; remaining -= 1)
    assert.deepEqual(await watch(reached), [404, remaining])
  assert.equal((await watch(reached))[0], 429)
  const forged = `${Date.now()}.${'x'.repeat(43)}`
  assert.deepEqual(await watch(owner, { 'x-glasses-cloud-forwarded': forged }), [404, 19])
  assert.deepEqual(await watch(owner, { 'x-glasses-cloud-forwarded': '1' }), [404, 18])
})
