import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { DEFAULT_TIMING } from '../session/index.ts'
import { VirtualClock } from '../time/testing/virtual-clock.ts'
import { KeyedQueue } from './keyed-queue.ts'
import { Sessions, type SessionsDeps } from './sessions.ts'

const USER = { id: 'ada', email: 'ada@example.com', tokensValidFrom: 1 }
const OWNED = { userSessionId: 's1', userId: USER.id, epoch: 3 }

/** A node that owns a session and opens it until `read` is settled. */
function openSession() {
  const read = Promise.withResolvers<never[]>()
  const released: unknown[] = []
  const lease = { holder: 'node-1', isValid: () => true, onLapsed() {} }
  const sessions = new Sessions({
    apps: { findFor: async () => [], acceptFirstUse: async () => {} },
    log: pino({ level: 'silent' }),
    clock: new VirtualClock(),
    random: Math.random,
    timing: DEFAULT_TIMING,
    ownership: { lease, claim: async () => ({ ...OWNED, owner: lease.holder }) },
    userSessions: { release: async (...session: unknown[]) => void released.push(session) },
    running: { runningOf: () => read.promise },
    settings: { userSettings: async () => ({}) },
    writes: new KeyedQueue(),
    systemPackage: 'system.dashboard',
  } as unknown as SessionsDeps)
  const opening = sessions.open(USER)
  return { sessions, opening, read, released }
}

test('NODE-59: a session that is opened while the node stops is not here, and any node may open it', async () => {
  const { sessions, opening, read, released } = openSession()
  const found = sessions.find(USER.id)
  const owned = sessions.findOwned(OWNED)
  sessions.stopOpening()
  read.resolve([])
  await assert.rejects(opening, { frame: 'RESTARTING' })
  assert.equal(await found, undefined)
  assert.equal(await owned, undefined)
  assert.deepEqual(released[0], [OWNED.userSessionId, OWNED.epoch])
})

test('NODE-59: a failure of the database is reported to what waits for the session', async () => {
  const { sessions, opening, read } = openSession()
  const found = sessions.find(USER.id)
  const owned = sessions.findOwned(OWNED)
  read.reject(new Error('no database'))
  for (const waiting of [opening, found, owned]) await assert.rejects(waiting, /no database/)
})
