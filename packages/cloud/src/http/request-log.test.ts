import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog } from './log.ts'
import { RequestCounts } from './request-counts.ts'
import { RequestLogger } from './request-log.ts'

function increment(counts: RequestCounts, caller: string): { current: number; ttl: number } {
  let result: { current: number; ttl: number } | undefined
  counts.incr(caller, (_error, counted) => (result = counted), 60_000)
  assert.ok(result)
  return result
}

test('LIM-4: a window ends after its time, and a jump of the wall clock does not change that', (t) => {
  let elapsedMs = 1_000
  t.mock.method(performance, 'now', () => elapsedMs)
  const counts = new RequestCounts(10)
  assert.deepEqual(increment(counts, 'a'), { current: 1, ttl: 60_000 })
  const wallClock = t.mock.method(Date, 'now', () => 0)
  elapsedMs += 59_999
  assert.deepEqual(increment(counts, 'a'), { current: 2, ttl: 1 })
  wallClock.mock.mockImplementation(() => Number.MAX_SAFE_INTEGER)
  assert.deepEqual(increment(counts, 'a'), { current: 3, ttl: 1 })
  assert.deepEqual(increment(counts, 'b'), { current: 1, ttl: 60_000 })
  elapsedMs += 1
  assert.deepEqual(increment(counts, 'a'), { current: 1, ttl: 60_000 })
})

test('LIM-5: beyond the maximum the least recently seen caller is evicted', () => {
  const counts = new RequestCounts(2)
  for (const caller of ['a', 'b', 'a', 'c']) increment(counts, caller)
  assert.equal(increment(counts, 'a').current, 3)
  assert.equal(increment(counts, 'b').current, 1)
})

test('HTTP-30: each line of a request has its id, whatever it is called with', () => {
  const lines: Record<string, unknown>[] = []
  const log = createLog('debug', { write: (line: string) => void lines.push(JSON.parse(line)) })
  const logger = new RequestLogger(log, { requestId: 'r1' })
  logger.info({ status: 200 }, 'fields')
  logger.warn('%s alone', 'message')
  logger.error(new Error('broken'))
  logger.debug({ token: 'secret' })
  logger.trace('below the level')
  logger.child({ part: 'p' }).info('child')
  const [fields, message, error, redacted, child] = lines
  assert.ok(lines.every(({ requestId }) => requestId === 'r1'))
  assert.deepEqual([fields?.status, fields?.msg], [200, 'fields'])
  assert.equal(message?.msg, 'message alone')
  assert.equal((error?.err as { message?: string } | undefined)?.message, 'broken')
  assert.equal(redacted?.token, '[redacted]')
  assert.deepEqual([child?.part, lines.length], ['p', 5])
})
