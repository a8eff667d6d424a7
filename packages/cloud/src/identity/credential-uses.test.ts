import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CredentialUses } from './credential-uses.ts'

const key = { table: 'api_keys', id: 'k1' } as const

/** Uses whose store the test controls. */
function createUses(store: () => Promise<void>) {
  const recorded: [id: string, at: number, address: string | undefined][] = []
  const warnings: string[] = []
  const clock = { now: 1_000_000 }
  const uses = new CredentialUses({
    store: {
      record: async (_table, id, { at, address }) => {
        await store()
        recorded.push([id, at, address])
      },
    },
    now: () => clock.now,
    log: { warn: (_fields: object, message: string) => void warnings.push(message) } as never,
  })
  return { uses, recorded, warnings, clock }
}

test('AUTH-70: a credential is recorded once a minute', async () => {
  const { uses, recorded, clock } = createUses(async () => {})
  uses.record(key, '192.0.2.1')
  uses.record({ table: 'logins', id: 'k1' }, '192.0.2.9')
  clock.now += 59_999
  uses.record(key, '192.0.2.2')
  clock.now += 1
  uses.record(key, '192.0.2.3')
  await uses.flush()
  assert.deepEqual(recorded, [
    ['k1', 1_000_000, '192.0.2.1'],
    ['k1', 1_000_000, '192.0.2.9'],
    ['k1', 1_060_000, '192.0.2.3'],
  ])
})

test('AUTH-70: only IP addresses are stored, IPv4-mapped ones as IPv4', async () => {
  const { uses, recorded } = createUses(async () => {})
  const claimed = ['::ffff:192.0.2.1', '2001:db8::1', 'a\u0000b', 'x'.repeat(70_000), '::ffff:x']
  for (const [id, address] of claimed.entries()) uses.record({ table: 'logins', id: String(id) }, address)
  await uses.flush()
  const addresses = recorded.map(([, , address]) => address)
  assert.deepEqual(addresses, ['192.0.2.1', '2001:db8::1', undefined, undefined, undefined])
})

test('AUTH-71: uses wait for a slow database, at most 1,000, and are stored before the shutdown', async () => {
  const { promise: available, resolve } = Promise.withResolvers<void>()
  const { uses, recorded, clock } = createUses(() => available)
  for (let id = 0; id < 2_000; id += 1) uses.record({ table: 'logins', id: String(id) }, '192.0.2.1')
  assert.deepEqual(recorded, [])
  const flushed = uses.flush()
  resolve()
  await flushed
  // One was being written when the others began to wait.
  assert.equal(recorded.length, 1_001)
  // A use that was dropped is recorded the next time.
  clock.now += 1
  uses.record({ table: 'logins', id: '1999' }, '192.0.2.1')
  await uses.flush()
  assert.deepEqual(recorded.at(-1), ['1999', 1_000_001, '192.0.2.1'])
})

test('AUTH-71: a use that cannot be stored is lost, and one log line reports the outage', async () => {
  let isDown = true
  const { uses, recorded, warnings, clock } = createUses(async () => {
    if (isDown) throw new Error('no database')
  })
  for (let minute = 0; minute < 3; minute += 1) {
    uses.record(key, '192.0.2.1')
    await uses.flush()
    clock.now += 60_000
  }
  assert.deepEqual([recorded, warnings.length], [[], 1])
  isDown = false
  uses.record(key, '192.0.2.1')
  await uses.flush()
  assert.equal(recorded.length, 1)
})
