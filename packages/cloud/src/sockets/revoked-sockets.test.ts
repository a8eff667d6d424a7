import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import { pino } from 'pino'
import type { WebSocket } from 'ws'
import type { ChangedKeys } from '../db/index.ts'
import type { LoginStore } from '../identity/index.ts'
import { VirtualClock } from '../time/testing/virtual-clock.ts'
import { RevokedSockets } from './revoked-sockets.ts'

test('AUTH-65: the sockets of an ended login are closed once the database responds again', async () => {
  const clock = new VirtualClock()
  let readings = 0
  const logins = {
    async findLive(loginId: string) {
      readings += 1
      if (readings === 1) throw new Error('The database does not respond')
      return loginId === 'live' ? { id: loginId } : undefined
    },
  } as unknown as LoginStore
  let notify = (_: ChangedKeys) => {}
  const sockets = new RevokedSockets({
    clock,
    logins,
    log: pino({ level: 'silent' }),
    changes: {
      on: (_, listener) => {
        notify = listener
      },
      catchUp: () => undefined,
      close: async () => {},
    },
  })
  const closed: string[] = []
  for (const loginId of ['ended', 'live']) {
    const ws = Object.assign(new EventEmitter(), {
      close: (code: number) => void closed.push(`${loginId} ${code}`),
    })
    sockets.watch(ws as unknown as WebSocket, 'u1', loginId)
  }
  const turns = async () => {
    for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate)
  }

  notify(new Set(['u1']))
  await turns()
  assert.deepEqual(closed, [])
  clock.advance(1_000)
  await turns()
  assert.deepEqual(closed, ['ended 4401'])
})
