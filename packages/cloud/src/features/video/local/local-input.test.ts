import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import pino from 'pino'
import { VirtualClock } from '../../../time/testing/virtual-clock.ts'
import { LocalInput } from './local-input.ts'
import type { RtmpPublisher } from './rtmp-publisher.ts'

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
