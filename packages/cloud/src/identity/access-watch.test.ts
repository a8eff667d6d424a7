import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import type { ChangedKeys, ChangeFeed } from '../db/index.ts'
import { VirtualClock } from '../time/testing/virtual-clock.ts'
import { type Access, AccessWatch } from './access-watch.ts'
import type { PersonalToken } from './personal-token-store.ts'
import type { User } from './user-store.ts'

type ChangeTopic = Parameters<ChangeFeed['on']>[0]

/** A watch whose users, logins and tokens a test ends. */
class Rig {
  readonly clock = new VirtualClock()
  readonly users = new Map([['u1', { id: 'u1', tokensValidFrom: 5 } as User]])
  readonly logins = new Set(['l1', 'l2'])
  readonly tokens = new Set(['t1'])
  readonly ended: string[] = []
  isDatabaseDown = false
  readonly #listeners = new Map<ChangeTopic, (keys: ChangedKeys) => void>()
  readonly #watch = new AccessWatch({
    clock: this.clock,
    log: pino({ level: 'silent' }),
    users: {
      findByIds: async (ids) => {
        if (this.isDatabaseDown) throw new Error('The database does not respond')
        return ids.flatMap((id) => this.users.get(id) ?? [])
      },
    },
    logins: { findLiveIds: async (ids) => ids.filter((id) => this.logins.has(id)) },
    personalTokens: {
      findLive: async (id) => (this.tokens.has(id) ? ({ id } as PersonalToken) : undefined),
    },
    changes: {
      on: (topic, listener) => void this.#listeners.set(topic, listener),
      catchUp: () => undefined,
      close: async () => {},
    },
  })

  watch(name: string, access: Partial<Access> = {}): () => void {
    const user = { id: 'u1', tokensValidFrom: 5 }
    return this.#watch.watch({ user, ...access }, (reason) => void this.ended.push(`${name} ${reason}`))
  }

  async notify(keys: ChangedKeys = new Set(['u1']), topic: ChangeTopic = 'users'): Promise<void> {
    this.#listeners.get(topic)?.(keys)
    await this.turns()
  }

  async turns(): Promise<void> {
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate)
  }
}

test('AUTH-65: a connection ends with its login, and others remain', async () => {
  const rig = new Rig()
  rig.watch('one', { loginId: 'l1' })
  rig.watch('other', { loginId: 'l2' })
  rig.watch('without')
  await rig.notify()
  assert.deepEqual(rig.ended, [])
  rig.logins.delete('l1')
  await rig.notify(new Set(['u2']))
  assert.deepEqual(rig.ended, [])
  await rig.notify()
  await rig.notify('all')
  assert.deepEqual(rig.ended, ['one revoked'])
})

test('AUTH-69: a connection whose login ended before it was watched ends, although no change follows', async () => {
  const rig = new Rig()
  rig.logins.delete('l1')
  rig.watch('late', { loginId: 'l1' })
  rig.watch('closed', { loginId: 'l1' })()
  rig.watch('old', { user: { id: 'u1', tokensValidFrom: 4 } })
  rig.watch('gone', { user: { id: 'u2', tokensValidFrom: 0 } })
  await rig.turns()
  assert.deepEqual(rig.ended, ['late revoked', 'old revoked', 'gone deleted'])
})

test('AUTH-69: everything that a connection depends on ends it', async () => {
  const ends: Record<string, (rig: Rig) => void> = {
    'all revoked': (rig) => rig.users.set('u1', { id: 'u1', tokensValidFrom: 6 } as User),
    'all suspended': (rig) => rig.users.set('u1', { id: 'u1', tokensValidFrom: 5, suspendedAt: 1 } as User),
    'the token revoked': (rig) => rig.tokens.delete('t1'),
    'expired revoked': (rig) => rig.clock.jumpWallClock(60_000),
  }
  for (const [name, end] of Object.entries(ends)) {
    const rig = new Rig()
    rig.watch('it', { loginId: 'l1', personalTokenId: 't1', expiresAt: rig.clock.now() + 60_000 })
    await rig.turns()
    assert.deepEqual(rig.ended, [], name)
    end(rig)
    await rig.notify()
    assert.deepEqual(rig.ended, ['it revoked'], name)
  }
})

test('AUTH-69: a condition is checked again after changes of the user, their apps and organizations', async () => {
  for (const topic of ['users', 'user_apps', 'apps'] as const) {
    const rig = new Rig()
    let isAllowed = true
    rig.watch('owner', { isAllowed: async () => isAllowed })
    rig.watch('user')
    await rig.turns()
    isAllowed = false
    await rig.notify(topic === 'apps' ? new Set(['a1']) : new Set(['u1']), topic)
    assert.deepEqual(rig.ended, ['owner revoked'], topic)
  }
})

test('AUTH-65: connections are checked once the database responds again', async () => {
  const rig = new Rig()
  rig.watch('it', { loginId: 'l1' })
  await rig.turns()
  rig.isDatabaseDown = true
  rig.logins.delete('l1')
  await rig.notify()
  assert.deepEqual(rig.ended, [])
  rig.isDatabaseDown = false
  rig.clock.advance(500)
  await rig.turns()
  assert.deepEqual(rig.ended, ['it revoked'])
})
