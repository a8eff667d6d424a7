import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import pino from 'pino'
import { systemClock } from '../../../time/index.ts'
import type { Gallery } from '../../gallery/index.ts'
import { Recordings } from './recordings.ts'

const reservation = { id: 'r1', bytes: 1, signal: new AbortController().signal, release: async () => {} }

const RECORDING = 'user~input~1~1.mp4'

/** Opens recordings, one of which a process left behind, and returns what remains when it has been processed. */
async function processWith(t: TestContext, script: string | undefined): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'recordings-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const program = join(folder, 'program')
  if (script !== undefined) await writeFile(program, script, { mode: 0o700 })
  const recordingsFolder = join(folder, 'recordings')
  const recordings = new Recordings({
    gallery: { reserve: async () => reservation } as unknown as Gallery,
    diskReserveBytes: 0,
    clock: systemClock,
    program,
    folder: recordingsFolder,
    log: pino({ level: 'silent' }),
    isAlive: () => false,
  })
  await recordings.open()
  await writeFile(join(recordingsFolder, RECORDING), 'video')
  await recordings.open()
  await recordings.idle()
  return readdir(recordingsFolder)
}

test('STR-116: a recording is kept for the next start if ffmpeg cannot be started or is killed', async (t) => {
  assert.deepEqual(await processWith(t, undefined), [RECORDING])
  assert.deepEqual(await processWith(t, '#!/bin/sh\nkill -9 $$\n'), [RECORDING])
})

test('STR-116: a recording that ffmpeg cannot read is dropped', async (t) => {
  assert.deepEqual(await processWith(t, '#!/bin/sh\nexit 1\n'), [])
})
