import { test } from 'node:test'
import { systemClock } from '../../src/time/index.ts'
import { openEventStream } from '../support/event-stream.ts'
import { startCloud } from '../support/test-cloud.ts'

const HOUR_MS = 60 * 60_000

test('LIVE-4 ADM-10: a stream ends when its core token expires', async (t) => {
  let time = 0
  const cloud = await startCloud(t, {
    overrides: { clock: { ...systemClock, now: () => Date.now() + time } },
  })
  const token = await cloud.token('ada@example.com', { lifetimeMs: HOUR_MS })
  const user = await cloud.operator.users.findOrCreate('ada@example.com', Date.now())
  await cloud.operator.users.setAdministrator(user.id, true, Date.now())
  const open = (path: string) => openEventStream(t, cloud.url + path, { authorization: `Bearer ${token}` })
  const streams = [await open('/api/session/events'), await open('/api/admin/stream')]
  for (const stream of streams) await stream.next(() => true)
  time += HOUR_MS + 61_000
  // A jump of the wall clock is noticed at the next change of the user.
  await cloud.operator.users.update(user.id, { name: 'Ada' }, Date.now())
  await Promise.all(streams.map((stream) => stream.end()))
})
