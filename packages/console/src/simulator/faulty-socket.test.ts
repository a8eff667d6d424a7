import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OpenSocket } from '@glasses-cloud/phone/browser'
import { type NetworkFaults, withFaults } from './faulty-socket.ts'

type Handlers = Parameters<OpenSocket>[1]

test('frames stay in order when the delay becomes shorter or a timer is late', async () => {
  let faults: NetworkFaults = { latencyMs: 30, bytesPerSecond: undefined }
  let network: Handlers | undefined
  const sent: string[] = []
  const allSent = Promise.withResolvers<void>()
  const open: OpenSocket = (_target, handlers) => {
    network = handlers
    return {
      isOpen: true,
      sendText(text) {
        sent.push(text)
        if (text === 'fourth') allSent.resolve()
      },
      sendBinary: async () => {},
      close() {},
      terminate() {},
    }
  }
  const received: string[] = []
  const closed = Promise.withResolvers<void>()
  const socket = withFaults(open, () => faults)(
    { url: 'ws://cloud', protocols: [] } as unknown as Parameters<OpenSocket>[0],
    {
      open() {},
      frame: (text) => void received.push(text),
      error() {},
      close: () => closed.resolve(),
    },
  )
  assert.ok(network)
  for (const text of ['first', 'second']) {
    network.frame(text)
    socket.sendText(text)
  }
  faults = { latencyMs: 0, bytesPerSecond: undefined }
  network.frame('third')
  socket.sendText('third')
  // A busy page: the timers are due but have not fired.
  const busyUntil = performance.now() + 60
  while (performance.now() < busyUntil);
  network.frame('fourth')
  socket.sendText('fourth')
  network.close({ code: 1000, reason: '' })
  assert.deepEqual(received, [])
  await Promise.all([closed.promise, allSent.promise])
  assert.deepEqual(received, ['first', 'second', 'third', 'fourth'])
  assert.deepEqual(sent, received)
})
