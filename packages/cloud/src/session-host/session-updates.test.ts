import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import type { ChangedKeys } from '../db/index.ts'
import type { User, UserStore } from '../identity/index.ts'
import { DEFAULT_TIMING } from '../session/index.ts'
import { RecordingPeer } from '../session/testing/recording-peer.ts'
import { VirtualClock } from '../time/testing/virtual-clock.ts'
import { KeyedQueue } from './keyed-queue.ts'
import { SessionUpdates } from './session-updates.ts'
import { Sessions, type SessionsDeps } from './sessions.ts'

test('SHARE-2: a logout everywhere while the session of the user is being opened ends the session', async () => {
  const { sessions, updates, claimed, user, logOutEverywhere } = createHost()
  const opening = sessions.open(user)
  logOutEverywhere()
  await updates.idle()
  claimed.resolve('s1')
  const session = await opening
  const peer = new RecordingPeer()
  session.attachGlasses(peer)
  await updates.idle()
  assert.equal(peer.closed?.code, 4401)
})

test('SHARE-2: a session opened after the logout', async () => {
  const { sessions, updates, claimed, current, logOutEverywhere } = createHost()
  logOutEverywhere()
  claimed.resolve('s1')
  const session = await sessions.open(current())
  await updates.idle()
  assert.equal(session.isEnded, false)
})

test('SHARE-2: a logout everywhere ends the session once the database responds again', async () => {
  const { clock, sessions, updates, claimed, user, logOutEverywhere, failRead } = createHost()
  claimed.resolve('s1')
  const session = await sessions.open(user)
  const peer = new RecordingPeer()
  session.attachGlasses(peer)
  await updates.idle()
  const hasFailed = failRead()
  logOutEverywhere()
  await hasFailed
  await new Promise(setImmediate)
  assert.equal(session.isEnded, false)
  clock.advance(1_000)
  await updates.idle()
  assert.equal(peer.closed?.code, 4401)
})

/** A node with one user, whose first session opens once `claimed` is resolved. */
function createHost() {
  const log = pino({ level: 'silent' })
  const claimed = Promise.withResolvers<string>()
  const user = { id: 'u1', email: 'u1@example.com', tokensValidFrom: 1 } as User
  let current = user
  const clock = new VirtualClock()
  /** Makes the next reading of users fail. */
  let failing: (() => void) | undefined
  const findByIds = async () => {
    failing?.()
    return [current]
  }
  const apps = { findFor: async () => [], namesOf: async () => [], acceptFirstUse: async () => {} }
  const sessions = new Sessions({
    apps,
    log,
    clock,
    random: Math.random,
    timing: DEFAULT_TIMING,
    userSessions: { claim: () => claimed.promise, end: async () => true },
    running: { runningOf: async () => [] },
    settings: { userSettings: async () => ({}) },
    streams: { problem: undefined, forUser: () => undefined },
    speech: { forSession: () => undefined },
    announcements: { changed() {} },
    writes: new KeyedQueue(),
    systemPackage: 'system.dashboard',
    offersRecentAudio: false,
    count() {},
  } as unknown as SessionsDeps)
  let notify = (_: ChangedKeys) => {}
  const updates = new SessionUpdates({
    sessions,
    apps,
    log,
    clock,
    users: { findByIds } as unknown as UserStore,
    changes: {
      on: (topic, listener) => {
        if (topic === 'users') notify = listener
      },
      catchUp: () => undefined,
      close: async () => {},
    },
  })
  const logOutEverywhere = () => {
    current = { ...user, tokensValidFrom: 2 }
    notify(new Set([user.id]))
  }
  const failRead = () =>
    new Promise<void>((resolve) => {
      failing = () => {
        failing = undefined
        resolve()
        throw new Error('The database does not respond')
      }
    })
  return { clock, sessions, updates, claimed, user, current: () => current, logOutEverywhere, failRead }
}
