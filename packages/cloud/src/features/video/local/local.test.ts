import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import pino from 'pino'
import { waitFor } from '../../../../test/support/wait-for.ts'
import { systemClock } from '../../../time/index.ts'
import { VirtualClock } from '../../../time/testing/virtual-clock.ts'
import { Feed } from './feed.ts'
import { LocalInput } from './local-input.ts'
import { Output } from './output.ts'
import type { RtmpPublisher } from './rtmp-publisher.ts'
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

test('STR-107: a publisher without keyframes is disconnected, and logged once', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'local-input-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const clock = new VirtualClock()
  const lines: string[] = []
  const input = await LocalInput.create({
    clock,
    log: pino({}, { write: (line: string) => void lines.push(line) }),
    program: 'ffmpeg',
    folder,
    allowPrivateNetworks: false,
    outputsChanged() {},
  })
  t.after(() => input.close())
  let closed = 0
  const publisher = { close: () => (closed += 1) } as unknown as RtmpPublisher
  const handler = input.accept(publisher)
  clock.advance(30_001)
  // One read from a socket may contain many tags.
  for (let count = 0; count < 1_000; count += 1)
    handler.onTag({ kind: 'audio', timestamp: count, data: Buffer.alloc(1) })
  assert.deepEqual([closed, lines.length], [1, 1])
  handler.onEnd()
})

test('STR-61: the reason of a failed output does not contain its stream key, even if the server repeats it', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'output-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const program = join(folder, 'program')
  const script =
    '#!/bin/sh\necho "Server error: Stream live_key-1 (live_key-1?backup=1) is in use" >&2\nexit 1\n'
  await writeFile(program, script, { mode: 0o700 })
  const output = new Output('o1', 'rtmp://target.test/app/live_key-1?backup=1', {
    clock: systemClock,
    feed: new Feed(systemClock, { onTracks: () => {} }),
    program,
    folder,
    allowPrivateNetworks: false,
    changed: () => {},
  })
  t.after(() => output.remove())
  output.start({ audio: true, video: true })
  await waitFor('the output fails', () => output.report.status === 'error')
  assert.equal(output.report.error, 'The target rejected the stream: Stream **** (****) is in use')
})
