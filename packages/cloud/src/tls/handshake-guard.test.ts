import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { connect as connectTls, createServer } from 'node:tls'
import { selfSigned } from '../../test/support/certificates.ts'
import { VirtualClock } from '../time/testing/virtual-clock.ts'
import { HandshakeGuard, type HandshakeGuardOptions } from './handshake-guard.ts'

async function listen(t: TestContext, options: Omit<HandshakeGuardOptions, 'clock'>) {
  const clock = new VirtualClock()
  const server = createServer(selfSigned, (socket) => socket.end('served'))
  const guard = new HandshakeGuard(server, { clock, ...options })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const open = async (): Promise<Socket> => {
    const accepted = once(server, 'connection')
    const socket = connect(port, '127.0.0.1')
    t.after(() => socket.destroy())
    await accepted
    return socket.resume()
  }
  const served = async (options: object = {}) => {
    const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false, ...options })
    t.after(() => socket.destroy())
    const [data] = await once(socket, 'data')
    return String(data)
  }
  return { clock, guard, open, served, port }
}

describe('limits of unfinished handshakes', () => {
  test('TLS-9: a further connection replaces the oldest of its network', async (t) => {
    const { guard, open, served } = await listen(t, { limits: { perNetwork: 2 } })
    const [first, second] = [await open(), await open()]
    const closed = once(first, 'close')
    const third = await open()
    await closed
    assert.equal(guard.unfinished, 2)
    assert.equal(await served(), 'served')
    assert.deepEqual([second.destroyed, third.destroyed].filter(Boolean).length <= 1, true)
  })

  test('TLS-9: a slow handshake ends at its deadline, a completed one does not', async (t) => {
    const { clock, guard, open, served } = await listen(t, { limits: { timeoutMs: 5_000 } })
    const idle = await open()
    const slow = await open()
    slow.write(Buffer.from([22, 3, 1, 2]))
    assert.equal(await served(), 'served')
    assert.equal(guard.unfinished, 2)
    const closed = Promise.all([once(idle, 'close'), once(slow, 'close')])
    clock.advance(5_000)
    await closed
    assert.equal(guard.unfinished, 0)
  })

  test('TLS-8: a handshake in many pieces', async (t) => {
    const { served, port } = await listen(t, { challenge: (socket) => socket.destroy() })
    const raw = connect(port, '127.0.0.1')
    await once(raw, 'connect')
    const write = raw.write.bind(raw)
    raw.setNoDelay(true)
    // Sends the first message byte by byte.
    let isFirst = true
    raw.write = ((bytes: Buffer, ...rest: []) => {
      if (!isFirst || bytes.length < 100) return write(bytes, ...rest)
      isFirst = false
      for (const byte of bytes.subarray(0, -1)) write(Buffer.from([byte]))
      return write(bytes.subarray(-1), ...rest)
    }) as typeof raw.write
    assert.equal(await served({ socket: raw, port: undefined }), 'served')
  })
})
