import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { RtmpTunnel } from './rtmp-tunnel.ts'

test('OUT-18: a client that authenticates may connect three times, another one once', async (t) => {
  const server = createServer((socket) => void socket.on('error', () => {}).end('challenge')).listen(
    0,
    '127.0.0.1',
  )
  await once(server, 'listening')
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  for (const [credentials, expected] of [
    ['user:password@', ['challenge', 'challenge', 'challenge', 'ECONNREFUSED']],
    ['', ['challenge', 'ECONNREFUSED']],
  ] as const) {
    const tunnel = await RtmpTunnel.open({ host: '127.0.0.1', port, secure: false, credentials }, true)
    t.after(() => tunnel.close())
    const at = tunnel.port
    for (const answer of expected) {
      const received = text(connect(at, '127.0.0.1')).catch((error: NodeJS.ErrnoException) => error.code)
      assert.equal(await received, answer)
    }
  }
})
