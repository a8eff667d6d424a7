import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { deserialize } from 'node:v8'
import { BusError, MemoryExchange, MessageBus } from '../../../bus/index.ts'
import { channelCall } from './protocol.ts'

const file = new URL('../../../session-host/testing/recorded-messages.json', import.meta.url)
const { requests }: { readonly requests: Record<string, string> } = JSON.parse(readFileSync(file, 'utf8'))

test('NODE-56: operations on channels as the previous version sent them reach their owner', async () => {
  const exchange = new MemoryExchange()
  const [owner, other] = [new MessageBus(exchange.connect()), new MessageBus(exchange.connect())]
  const received: string[] = []
  channelCall.handle(owner, ({ operation }) => {
    received.push(`app-channel: ${operation.kind}`)
    return undefined
  })
  const send = (request: unknown) => other.request(owner.nodeId, 'app-channel', request, 20_000)
  const recorded = Object.entries(requests).filter(([name]) => name.startsWith('app-channel'))
  for (const [, request] of recorded) await send(deserialize(Buffer.from(request, 'base64')))
  assert.deepEqual(
    received,
    recorded.map(([name]) => name),
  )
  assert.equal(received.length, 9)
  for (const unknown of [{ packageName: 'a', operation: { kind: 'dance' } }, { packageName: 'a' }, undefined])
    await assert.rejects(send(unknown), (error) => error instanceof BusError && error.code === 'UNSUPPORTED')
})
