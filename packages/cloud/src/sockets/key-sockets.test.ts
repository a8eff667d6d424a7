import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { WebSocket } from 'ws'
import type { ChangedKeys } from '../db/index.ts'
import type { ApiKey } from '../identity/api-key-store.ts'
import { VirtualClock } from '../time/testing/virtual-clock.ts'
import { KeySockets } from './key-sockets.ts'

function setUp(findByKeyId: () => Promise<ApiKey | undefined>) {
  const clock = new VirtualClock()
  let changed: (keys: ChangedKeys) => void = () => {}
  const failures: unknown[] = []
  const sockets = new KeySockets({
    changes: {
      on: (_table: string, listener: typeof changed) => {
        changed = listener
      },
    } as never,
    clock,
    apiKeyStore: { findByKeyId },
    failed: (error) => failures.push(error),
  })
  const closed: string[] = []
  const add = (name: string) => sockets.add('k1', { close: () => closed.push(name) } as unknown as WebSocket)
  return { clock, failures, add, closed, change: () => changed(new Set(['k1'])) }
}

const key = { keyId: 'k1' } as ApiKey

test('TRU-7: while the database is away, a key with many sockets is read by one, and reported once', async () => {
  let reads = 0
  let isAway = true
  const { clock, failures, add, closed } = setUp(async () => {
    reads += 1
    if (isAway) throw new Error('away')
    return undefined
  })
  for (let index = 0; index < 50; index += 1) add(`${index}`)
  for (let round = 0; round < 4; round += 1) {
    await setImmediate()
    clock.advance(500)
  }
  await setImmediate()
  assert.deepEqual([reads, failures.length], [5, 1])
  isAway = false
  clock.advance(500)
  await setImmediate()
  assert.equal(closed.length, 50)
})

test('TRU-7: a key that is revoked while it is read is read again', async () => {
  const answers = [Promise.withResolvers<ApiKey | undefined>(), Promise.withResolvers<ApiKey | undefined>()]
  let reads = 0
  const { add, closed, change } = setUp(() => answers[reads++]?.promise ?? Promise.resolve(undefined))
  add('a')
  change()
  assert.equal(reads, 1)
  answers[0]?.resolve(key)
  await setImmediate()
  assert.deepEqual([reads, closed], [2, []])
  answers[1]?.resolve(undefined)
  await setImmediate()
  assert.deepEqual(closed, ['a'])
})
