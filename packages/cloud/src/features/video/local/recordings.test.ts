import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import pino from 'pino'
import { waitFor } from '../../../../test/support/wait-for.ts'
import { systemClock } from '../../../time/index.ts'
import { VirtualClock } from '../../../time/testing/virtual-clock.ts'
import { type Gallery, UserDeletedError } from '../../gallery/index.ts'
import { Feed } from './feed.ts'
import { Recordings } from './recordings.ts'

const RECORDING = 'user~input~1~1.mp4'

/** Records its input in the file of the last argument, and lists its runs. */
const RECORDER = `#!/bin/sh
echo "$*" >> "$0.runs"
for last; do :; done
case "$*" in
  *faststart*) echo video > "$last" ;;
  *) cat > "$last" ;;
esac
`

const FFMPEG = '#!/bin/sh\nfor last; do :; done\necho video > "$last"\n'

/** Recordings in a folder, and a gallery that is replaced where a test needs it. */
async function setUp(t: TestContext, script: string | undefined, replaced: object = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'recordings-'))
  const program = join(folder, 'program')
  if (script !== undefined) await writeFile(program, script, { mode: 0o700 })
  const recordingsFolder = join(folder, 'recordings')
  await mkdir(recordingsFolder)
  await writeFile(join(recordingsFolder, RECORDING), 'video')
  const clock = new VirtualClock()
  const ending = new AbortController()
  const released: string[] = []
  const added: string[] = []
  const listeners = new Set<(userId: string) => void>()
  const gallery = {
    reserve: async (_user: string, _kind: string, bytes: number) => ({
      id: 'r1',
      bytes,
      signal: ending.signal,
      release: async (): Promise<void> => void released.push('r1'),
    }),
    addRecording: async (userId: string, _input: string, source: Readable) => {
      source.destroy()
      added.push(userId)
      return true
    },
    onEnd: (listener: (userId: string) => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    ...replaced,
  }
  const recordings = new Recordings({
    gallery: gallery as unknown as Gallery,
    diskReserveBytes: 0,
    clock,
    program,
    folder: recordingsFolder,
    log: pino({ level: 'silent' }),
    isAlive: () => false,
  })
  t.after(async () => {
    await recordings.close()
    await rm(folder, { recursive: true, force: true })
  })
  const files = () => readdir(recordingsFolder)
  const runs = async () => (await readFile(`${program}.runs`, 'utf8').catch(() => '')).split('\n').length - 1
  const retry = async () => {
    clock.advance(70_000)
    await recordings.idle()
  }
  return { recordings, gallery, clock, ending, released, added, listeners, files, runs, retry }
}

/** Opens recordings, one of which a process left behind, and returns what remains when it has been processed. */
async function processWith(t: TestContext, script: string | undefined): Promise<string[]> {
  const { recordings, files } = await setUp(t, script)
  await recordings.open()
  await recordings.idle()
  return files()
}

test('STR-116: a recording is kept if ffmpeg cannot be started or is killed', async (t) => {
  assert.deepEqual(await processWith(t, undefined), [RECORDING])
  assert.deepEqual(await processWith(t, '#!/bin/sh\nkill -9 $$\n'), [RECORDING])
})

test('STR-116: a recording that ffmpeg cannot read is dropped', async (t) => {
  assert.deepEqual(await processWith(t, '#!/bin/sh\nexit 1\n'), [])
})

test('STR-116: a recording whose space the killed process still holds is added once that is free', async (t) => {
  let free = 0
  const { recordings, gallery, added, files, retry } = await setUp(t, FFMPEG)
  const { reserve } = gallery
  gallery.reserve = (user, kind, bytes) => reserve(user, kind, Math.min(bytes, free))
  await recordings.open()
  await recordings.idle()
  assert.deepEqual([await files(), added], [[RECORDING], []])
  free = 1_000
  await retry()
  assert.deepEqual([await files(), added], [[], ['user']])
})

test('STR-116: a recording keeps its space until it can be added', async (t) => {
  let isAway = true
  const { recordings, released, files, retry } = await setUp(t, FFMPEG, {
    addRecording: async (_user: string, _input: string, source: Readable) => {
      source.destroy()
      if (isAway) throw new Error('the storage is away')
      return true
    },
  })
  await recordings.open()
  await recordings.idle()
  assert.deepEqual([await files(), released], [[RECORDING], []])
  await retry()
  assert.deepEqual([await files(), released], [[RECORDING], []])
  isAway = false
  await retry()
  assert.deepEqual([await files(), released], [[], ['r1']])
})

test('STR-127: a recording that is tried again later is removed with its user', async (t) => {
  const { recordings, ending, released, files, clock } = await setUp(t, undefined)
  await recordings.open()
  await recordings.idle()
  ending.abort(new UserDeletedError())
  await waitFor('the removal', () => released.length > 0)
  assert.deepEqual([await files(), clock.pendingTimers], [[], 0])
})

test('STR-127: a message of the deletion removes a file that has no space', async (t) => {
  const { recordings, listeners, files } = await setUp(t, FFMPEG, {
    reserve: () => Promise.reject(new Error('the database is away')),
  })
  await recordings.open()
  await recordings.idle()
  assert.deepEqual(await files(), [RECORDING])
  for (const listener of listeners) listener('user')
  await waitFor('the removal', async () => (await files()).length === 0)
})

/** Begins a recording of another input; `own` ends it with its user, and `released` resolves when its space is free. */
async function startRecording({ recordings, gallery, files }: Awaited<ReturnType<typeof setUp>>) {
  const own = new AbortController()
  const reservation = await gallery.reserve('user', 'recording', 32 * 1024 * 1024)
  const released = Promise.withResolvers<void>()
  gallery.reserve = async () => ({
    ...reservation,
    signal: own.signal,
    release: async () => released.resolve(),
  })
  const feed = new Feed(systemClock, { onTracks: () => {} })
  const recorder = recordings.recorder('user', 'other', feed)
  recorder.start({ audio: false, video: true })
  feed.push({ kind: 'video-header', timestamp: 0, data: Buffer.alloc(50) })
  feed.push({ kind: 'keyframe', timestamp: 0, data: Buffer.alloc(10_000) })
  const ownFiles = async () => (await files()).filter((name) => name.startsWith('user~other'))
  await waitFor('the recording begins', async () => (await ownFiles()).length > 0)
  return { own, released: released.promise, recorder, ownFiles }
}

test('STR-127: a recording that ends with its user does not wait for those in the queue', async (t) => {
  const adding = Promise.withResolvers<boolean>()
  const rig = await setUp(t, RECORDER, { addRecording: () => adding.promise })
  await rig.recordings.open()
  const { own, released, recorder, ownFiles } = await startRecording(rig)
  own.abort(new UserDeletedError())
  await released
  assert.deepEqual(await ownFiles(), [])
  adding.resolve(true)
  await recorder.stop()
})

test('STR-127: a recording that ends with its user is not made playable', async (t) => {
  const rig = await setUp(t, RECORDER)
  await rig.recordings.open()
  await rig.recordings.idle()
  const { own, released, recorder, ownFiles } = await startRecording(rig)
  const before = await rig.runs()
  own.abort(new UserDeletedError())
  await released
  await recorder.stop()
  await rig.recordings.idle()
  assert.deepEqual([await rig.runs(), await ownFiles()], [before, []])
})

test('STR-127: a recording whose user is deleted before ffmpeg starts is not made playable', async (t) => {
  const { recordings, gallery, ending, files, runs, released } = await setUp(t, RECORDER)
  const { reserve } = gallery
  gallery.reserve = async (...given) => {
    ending.abort(new UserDeletedError())
    return reserve(...given)
  }
  await recordings.open()
  await recordings.idle()
  assert.deepEqual([await runs(), await files(), released], [0, [], ['r1']])
})
