import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import pino from 'pino'
import { nodeFolder, readConfig } from '../../config/index.ts'
import { eachDatabase } from '../../db/testing.ts'
import { UserStore } from '../../identity/index.ts'
import { systemClock } from '../../time/index.ts'
import { VirtualClock } from '../../time/testing/virtual-clock.ts'
import { createStreamingProvider, type ProviderDeps } from './create-provider.ts'
import { LiveStreamStore } from './live-stream-store.ts'
import { MemoryStreamingProvider } from './memory-provider.ts'
import { streamingProviderSuite } from './streaming-provider-suite.ts'

describe('live streams of all nodes', () => {
  eachDatabase(({ open }) => {
    test('STR-126: a stream is found by its id until it is closed or replaced', async (t) => {
      const db = await open(t)
      const [ann, bob] = await Promise.all(
        ['ann@example.com', 'bob@example.com'].map((email) => new UserStore(db).findOrCreate(email, 0)),
      )
      assert.ok(ann && bob)
      const store = new LiveStreamStore(db)
      await store.open(ann.id, { streamId: 's1', startedAt: 1 })
      await store.open(bob.id, { streamId: 's2', startedAt: 2 })
      assert.deepEqual([await store.findUser('s1'), await store.findUser('s2')], [ann.id, bob.id])
      await store.open(ann.id, { streamId: 's3', startedAt: 3 })
      await store.close(ann.id, 's1')
      assert.deepEqual(await store.findByUser(ann.id), { streamId: 's3', startedAt: 3 })
      assert.equal(await store.findUser('s1'), undefined)
      await store.close(ann.id, 's3')
      assert.equal(await store.findByUser(ann.id), undefined)
    })
  })
})

streamingProviderSuite('streaming provider in memory', async () => {
  const clock = new VirtualClock()
  return {
    provider: new MemoryStreamingProvider(clock, 1_000),
    settle: async () => clock.advance(1_000),
    targets: { good: 'rtmp://live.example.com/app/key', bad: 'rtmp://invalid.example.com/app/key' },
  }
})

test('STR-111: nodes that share the data folder keep the files of streams on their own disks', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'shared-data-'))
  t.after(() => rm(dataDir, { recursive: true, force: true }))
  for (const [isShared, expected] of [
    ['true', []],
    ['false', ['streams']],
  ] as const) {
    const config = readConfig({
      DATA_DIR: dataDir,
      SHARED_DATA_DIR: isShared,
      RTMP_PORT: '0',
      // Only has to exist.
      FFMPEG_PATH: process.execPath,
    })
    const { provider, problem } = await createStreamingProvider({
      config,
      clock: systemClock,
      log: pino({ level: 'silent' }),
    } as ProviderDeps)
    t.after(() => provider?.close?.())
    t.after(() => rm(nodeFolder(config.data, 'streams'), { recursive: true, force: true }))
    assert.equal(problem, undefined)
    assert.deepEqual(await readdir(dataDir), expected)
  }
})
