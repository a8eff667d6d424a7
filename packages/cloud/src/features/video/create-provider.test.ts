import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import pino from 'pino'
import { nodeFolder, readConfig } from '../../config/index.ts'
import { systemClock } from '../../time/index.ts'
import { createStreamingProvider, type ProviderDeps } from './create-provider.ts'

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
