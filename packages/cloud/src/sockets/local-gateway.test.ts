import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SessionUnavailableError } from '../session-host/index.ts'
import { LocalGateway, type LocalGatewayDeps } from './local-gateway.ts'
import type { WsGlassesPeer } from './ws-peer.ts'

/** A gateway whose sessions cannot be opened, and a socket that records how it is closed. */
function connect(error: Error) {
  const sessions = {
    open: () => Promise.reject(error),
    find: async () => undefined,
    byUserSessionId: () => undefined,
  }
  const user = { id: 'ada', email: 'ada@example.org' }
  const gateway = new LocalGateway({
    sessions,
    users: { findByEmail: async () => user, findById: async () => user },
    running: { runningOf: async () => [{ packageName: 'dev.example.app' }] },
    userSessions: { findById: async () => undefined },
  } as unknown as LocalGatewayDeps)
  const codes: number[] = []
  const peer = { isOpen: true, close: (code: number) => void codes.push(code) } as unknown as WsGlassesPeer
  const target = { sessionPrefix: user.email, packageName: 'dev.example.app', sdk: 'mentra' } as never
  return { gateway, user, peer, target, codes }
}

test('SOC-43: a socket whose session would open while the server shuts down is closed with 1012', async () => {
  const { gateway, user, peer, target, codes } = connect(
    new SessionUnavailableError('RESTARTING', 'shutting down'),
  )
  assert.equal(await gateway.attachGlasses(user as never, peer), undefined)
  assert.equal(await gateway.attachApp(target, peer), undefined)
  assert.deepEqual(codes, [1012, 1012])
})

test('SOC-45: another failure is reported to the caller', async () => {
  const { gateway, user, peer, target, codes } = connect(new Error('no database'))
  await assert.rejects(gateway.attachGlasses(user as never, peer), /no database/)
  await assert.rejects(gateway.attachApp(target, peer), /no database/)
  assert.deepEqual(codes, [])
})
