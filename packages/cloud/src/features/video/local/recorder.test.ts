import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { waitFor } from '../../../../test/support/wait-for.ts'
import { systemClock } from '../../../time/index.ts'
import { VirtualClock } from '../../../time/testing/virtual-clock.ts'
import { Feed } from './feed.ts'
import { Recorder, type RecordingFile } from './recorder.ts'

/** Records a feed with a program in place of ffmpeg. */
async function record(t: TestContext, script: string, replaced: Partial<RecordingFile>) {
  const folder = await mkdtemp(join(tmpdir(), 'recorder-'))
  const program = join(folder, 'program')
  await writeFile(program, script, { mode: 0o700 })
  const clock = new VirtualClock()
  const feed = new Feed(systemClock, { onTracks: () => {} })
  const recorded: string[] = []
  let files = 0
  const recorder = new Recorder({
    clock,
    feed,
    program,
    newFile: async () => {
      files += 1
      return {
        path: join(folder, `${files}`),
        maxBytes: 1_000,
        signal: new AbortController().signal,
        hasSpace: async () => true,
        isFull: async () => false,
        ...replaced,
      }
    },
    recorded: ({ path }) => recorded.push(path.slice(-1)),
  })
  t.after(async () => {
    await recorder.stop()
    await rm(folder, { recursive: true, force: true })
  })
  recorder.start({ audio: false, video: true })
  feed.push({ kind: 'video-header', timestamp: 0, data: Buffer.alloc(50) })
  feed.push({ kind: 'keyframe', timestamp: 0, data: Buffer.alloc(10_000) })
  const isRecording = (name: string) => readFile(join(folder, name)).then(({ length }) => length > 0)
  return { recorder, recorded, clock, isRecording }
}

const UNTIL_END = '#!/bin/sh\nfor last; do :; done\ncat > "$last"\n'

/** The first file ends by itself. */
const FIRST_ENDS =
  '#!/bin/sh\nfor last; do :; done\ncase "$last" in\n*/1) head -c 100 > "$last" ;;\n*) cat > "$last" ;;\nesac\n'

test('STR-127: a recording continues in a further file when one is full', async (t) => {
  const { recorder, recorded, isRecording } = await record(t, FIRST_ENDS, { isFull: async () => true })
  await waitFor('the second file', () => isRecording('2'))
  assert.deepEqual(recorded, ['1'])
  await recorder.stop()
  assert.deepEqual(recorded, ['1', '2'])
})

test('STR-127: a recording whose program fails does not begin again', async (t) => {
  const { recorder, recorded } = await record(t, '#!/bin/sh\nexit 1\n', {})
  await waitFor('the end', () => recorded.length > 0)
  await recorder.stop()
  assert.deepEqual(recorded, ['1'])
})

test('STR-116: a recording goes on while its space cannot be checked', async (t) => {
  let checks = 0
  const { recorded, clock, isRecording } = await record(t, UNTIL_END, {
    hasSpace: async () => {
      checks += 1
      if (checks < 3) throw new Error('the database is away')
      return false
    },
  })
  await waitFor('the recording begins', () => isRecording('1'))
  for (const count of [1, 2]) {
    clock.advance(1_000)
    await waitFor('the next check', () => clock.pendingTimers > 0)
    assert.deepEqual([checks, recorded], [count, []])
  }
  clock.advance(1_000)
  await waitFor('the end', () => recorded.length > 0)
})
