import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BusError, MemoryExchange, MessageBus } from '../bus/index.ts'
import { createRemoteHandle, serveRemoteCalls } from './remote-session-handle.ts'
import type { Sessions } from './sessions.ts'

/** A node that owns the session `s1` and records the commands that reach it, and another node. */
function connectNodes() {
  const exchange = new MemoryExchange()
  const [owner, other] = [new MessageBus(exchange.connect()), new MessageBus(exchange.connect())]
  const commands: unknown[][] = []
  const session = {
    run(name: string, args: readonly unknown[]) {
      commands.push([name, ...args])
      return undefined
    },
  }
  const sessions = { findOwned: async () => ({ session }) } as unknown as Sessions
  serveRemoteCalls(owner, sessions, () => true)
  const place = { userSessionId: 's1', userId: 'u1', epoch: 3, owner: owner.nodeId }
  return { owner, other, commands, place }
}

function handleOf({ other, place }: ReturnType<typeof connectNodes>) {
  return createRemoteHandle(place, { bus: other, relocate: async () => undefined, nodeIdOf: (id) => id })
}

const isUnsupported = (error: unknown) => error instanceof BusError && error.code === 'UNSUPPORTED'

test('NODE-56: a command in another form is rejected and does not reach the session', async () => {
  const nodes = connectNodes()
  const call = { userSessionId: 's1', userId: 'u1', epoch: 3 }
  for (const unknown of [
    { ...call, method: 'hatch', args: [] },
    { ...call, method: 'stopApp', args: [7] },
    { ...call, method: 'stopApp', args: ['a', 'b'] },
    { ...call, method: 'stopApp' },
    { method: 'stopApp', args: ['a'] },
  ])
    await assert.rejects(
      nodes.other.request(nodes.owner.nodeId, 'session call', unknown, 20_000),
      isUnsupported,
    )
  await handleOf(nodes).stopApp('dev.example.app')
  assert.deepEqual(nodes.commands, [['stopApp', 'dev.example.app']])
})

test('NODE-56: an answer in another form fails the call', async () => {
  // The session answers every command with nothing.
  await assert.rejects(handleOf(connectNodes()).appState(), isUnsupported)
})
