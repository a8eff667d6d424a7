import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { waitFor } from '../../../../test/support/wait-for.ts'
import { systemClock } from '../../../time/index.ts'
import { Feed } from './feed.ts'
import { Packager } from './packager.ts'
import { isAliveElsewhere } from './stream-folder.ts'

const TRACKS = { audio: true, video: true }

/** A packager with a program that reads its input to the end, and the ids of its processes so far. */
async function createPackager(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'packager-'))
  const program = join(folder, 'program')
  await writeFile(program, '#!/bin/sh\necho $$ >> processes\nexec cat > /dev/null\n', { mode: 0o700 })
  const feed = new Feed(systemClock, { onTracks: () => {} })
  const packager = new Packager({ clock: systemClock, feed, program, folder, failed: () => {} })
  const processes = async () => {
    const text = await readFile(join(folder, 'processes'), 'utf8').catch(() => '')
    return text.split('\n').filter(Boolean).map(Number)
  }
  t.after(async () => {
    await packager.stop()
    for (const pid of (await processes()).filter(isAliveElsewhere)) process.kill(pid)
    await rm(folder, { recursive: true, force: true })
  })
  const started = (count: number) =>
    waitFor('the processes have started', async () => (await processes()).length >= count)
  return { packager, processes, started }
}

test('STR-104: no process remains of a packager that is stopped while it starts anew', async (t) => {
  const { packager, processes, started } = await createPackager(t)
  await packager.start(TRACKS)
  await started(1)
  const restart = packager.start(TRACKS)
  await packager.stop()
  await restart
  assert.deepEqual((await processes()).filter(isAliveElsewhere), [])
  assert.equal((await processes()).length, 1)
})

test('STR-104: encodings that change in quick succession leave one process', async (t) => {
  const { packager, processes, started } = await createPackager(t)
  await packager.start(TRACKS)
  await started(1)
  await Promise.all([packager.start(TRACKS), packager.start(TRACKS)])
  await started(2)
  await packager.stop()
  assert.deepEqual((await processes()).filter(isAliveElsewhere), [])
  assert.equal((await processes()).length, 2)
})
