import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { deserialize } from 'node:v8'
import { BusError, MemoryExchange, MessageBus } from '../bus/index.ts'
import { createRemoteHandle, serveRemoteCalls } from './remote-session-handle.ts'
import type { Sessions } from './sessions.ts'

/** Requests and answers that the previous version sent, as `v8.serialize` encoded them. */
const recorded: { readonly requests: Record<string, string>; readonly answers: Record<string, string> } =
  JSON.parse(readFileSync(new URL('./testing/recorded-messages.json', import.meta.url), 'utf8'))

const decode = (text: string | undefined): unknown => deserialize(Buffer.from(text ?? '', 'base64'))

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

test('NODE-56: commands as the previous version sent them reach the session', async () => {
  const nodes = connectNodes()
  const calls = Object.entries(recorded.requests).filter(([name]) => name.startsWith('session call'))
  assert.ok(calls.length >= 10)
  for (const [, request] of calls)
    await nodes.other.request(nodes.owner.nodeId, 'session call', decode(request), 20_000)
  assert.deepEqual(
    nodes.commands.map(([name]) => `session call: ${name}`),
    calls.map(([name]) => name),
  )
  assert.deepEqual(nodes.commands[1], ['stopApp', 'dev.example.app'])
})

test('NODE-56: answers as the previous version sent them are accepted', async () => {
  const exchange = new MemoryExchange()
  const [owner, other] = [new MessageBus(exchange.connect()), new MessageBus(exchange.connect())]
  const answer = (argument: unknown) =>
    decode(recorded.answers[(argument as { readonly method: string }).method])
  owner.handle('session call', answer)
  const place = { userSessionId: 's1', userId: 'u1', epoch: 3, owner: owner.nodeId }
  const handle = createRemoteHandle(place, {
    bus: other,
    relocate: async () => undefined,
    nodeIdOf: (id) => id,
  })
  assert.equal((await handle.appState()).revision, 1)
  assert.equal((await handle.claimPhoto('r1', undefined)).kind, 'requested')
  assert.equal((await handle.recentAudio()).kind, 'audio')
  assert.equal(await handle.glasses(), null)
  assert.equal(await handle.end({ code: 1000, reason: '' }), undefined)
})

test('NODE-56: a command in another version or form is rejected and does not reach the session', async () => {
  const nodes = connectNodes()
  const call = { userSessionId: 's1', userId: 'u1', epoch: 3 }
  for (const unknown of [
    { ...call, method: 'stopApp', args: ['a'], version: 2 },
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
  assert.deepEqual(nodes.commands, [])
})

test('NODE-56: an answer in another form fails the call', async () => {
  // The session answers every command with nothing.
  await assert.rejects(handleOf(connectNodes()).appState(), isUnsupported)
})
