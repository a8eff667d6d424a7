import assert from 'node:assert/strict'
import { serialize } from 'node:v8'
import { encodeBatch } from '../../../src/bus/batch.ts'
import { type BusTransport, FRAME_KINDS, type TransportEvents } from '../../../src/bus/bus.ts'
import { MessageBus } from '../../../src/bus/message-bus.ts'
import { nodeChannel } from '../../../src/bus/node-channels.ts'
import { decodeRelayFrame, encodeRelayFrame, RELAY } from '../../../src/sockets/relay/relay-frame.ts'
import { VirtualClock } from '../../../src/time/testing/virtual-clock.ts'
import type { FuzzTarget } from '../target.ts'

const NODE = 'me'

/** A transport that sends nothing. */
class SilentTransport implements BusTransport {
  events: TransportEvents | undefined
  readonly isConnected = true

  start(events: TransportEvents): void {
    this.events = events
  }

  async subscribe(): Promise<void> {}
  unsubscribe(): void {}
  reconnect(): void {}
  async close(): Promise<void> {}

  async publish(): Promise<number> {
    return 1
  }
}

const relayed = (type: number, text: string) =>
  encodeRelayFrame({ type, link: 1, epoch: 2, dialect: 'flat', payload: Buffer.from(text) })
const batch = (sequence: number, ...frames: Parameters<typeof encodeBatch>[1]) =>
  encodeBatch({ sender: 'other', stream: 1, sequence }, frames)

/** Messages that a node receives from others: batches, frames of relayed sockets, requests and responses. */
export const target: FuzzTarget = {
  maxBytes: 1_024,
  open: () => ({
    seeds: [
      batch(1, { kind: FRAME_KINDS.relay, payload: relayed(RELAY.message, '{"type":"vad"}') }),
      batch(0, { kind: FRAME_KINDS.relay, payload: relayed(RELAY.close, '\x03\xf5why') }),
      batch(1, { kind: FRAME_KINDS.request, payload: serialize([1, 'double', 2]) }),
      batch(2, { kind: FRAME_KINDS.request, payload: serialize([2, 'unknown', { a: [1, 'x', null] }]) }),
      batch(1, { kind: FRAME_KINDS.response, payload: serialize([1, undefined, 'FAILED', 'no']) }),
      batch(1, ...[1, 2, 3].map((kind) => ({ kind: kind as 1, payload: Buffer.of(kind) }))),
    ],
    dictionary: [
      'other',
      Buffer.of(0xff, 0x0f),
      Buffer.of(0, 0, 0, 0),
      Buffer.of(0, 0, 0, 0, 0, 1),
      'double',
    ],
    async run(input) {
      const transport = new SilentTransport()
      const failures: unknown[] = []
      const bus = new MessageBus(transport, {
        nodeId: NODE,
        clock: new VirtualClock(),
        defer: (task) => task(),
        failed: (error) => failures.push(error),
      })
      bus.handle('double', (value) => Number(value) * 2)
      let receivedBytes = 0
      let isFollowed = false
      bus.receive(FRAME_KINDS.relay, (from, payload) => {
        if (from === 'next') isFollowed = true
        receivedBytes += payload.length
        const frame = decodeRelayFrame(payload)
        if (frame.dialect !== undefined) assert.deepEqual(encodeRelayFrame(frame), payload)
      })
      transport.events?.message(nodeChannel(NODE), input)
      assert.ok(receivedBytes <= input.length, 'no more than was sent')
      for (const error of failures) assert.ok(error instanceof Error)
      const next = encodeBatch({ sender: 'next', stream: 1, sequence: 1 }, [
        { kind: FRAME_KINDS.relay, payload: relayed(RELAY.text, '') },
      ])
      transport.events?.message(nodeChannel(NODE), next)
      assert.ok(isFollowed, 'the next message is received')
      await bus.close()
    },
  }),
}
