import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BusError, MemoryExchange, MessageBus } from '../../../bus/index.ts'
import { channelCall } from './protocol.ts'

test('NODE-56: an operation on a channel in another form is rejected and does not reach its owner', async () => {
  const exchange = new MemoryExchange()
  const [owner, other] = [new MessageBus(exchange.connect()), new MessageBus(exchange.connect())]
  const received: string[] = []
  channelCall.handle(owner, ({ operation }) => {
    received.push(operation.kind)
    return undefined
  })
  const send = (request: unknown) => other.request(owner.nodeId, 'app-channel', request, 20_000)
  await send({ packageName: 'a', operation: { kind: 'leave', member: 'm' } })
  for (const unknown of [{ packageName: 'a', operation: { kind: 'dance' } }, { packageName: 'a' }, undefined])
    await assert.rejects(send(unknown), (error) => error instanceof BusError && error.code === 'UNSUPPORTED')
  assert.deepEqual(received, ['leave'])
})
