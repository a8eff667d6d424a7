import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { waitFor } from '../../../../test/support/wait-for.ts'
import { systemClock } from '../../../time/index.ts'
import { VirtualClock } from '../../../time/testing/virtual-clock.ts'
import { Feed } from './feed.ts'
import { Packager, readPlaylist } from './packager.ts'
import { isAliveElsewhere } from './stream-folder.ts'

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
  await packager.start()
  await started(1)
  const restart = packager.start()
  await packager.stop()
  await restart
  assert.deepEqual((await processes()).filter(isAliveElsewhere), [])
  assert.equal((await processes()).length, 1)
})

test('STR-104: encodings that change in quick succession leave one process', async (t) => {
  const { packager, processes, started } = await createPackager(t)
  await packager.start()
  await started(1)
  await Promise.all([packager.start(), packager.start()])
  await started(2)
  await packager.stop()
  assert.deepEqual((await processes()).filter(isAliveElsewhere), [])
  assert.equal((await processes()).length, 2)
})

/** Writes two segments of each track, with the number that the arguments name, and fails. */
const FAILING_PROGRAM = `#!/bin/sh
run=$(echo "$*" | sed 's/.*-init_seg_name \\([0-9]*\\)-.*/\\1/')
for track in 0 1; do
  { printf '#EXTM3U\\n#EXT-X-MEDIA-SEQUENCE:1\\n#EXT-X-MAP:URI="%s-init-%s.m4s"\\n' $run $track
    for number in 1 2; do printf '#EXTINF:1.0,\\n%s-%s-%s.m4s\\n' $run $track $number; done
    echo '#EXT-X-ENDLIST'
  } > media_$track.m3u8
done
exit 1
`

test('STR-132: the playlists of a packager that fails are continued by the next one', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'packager-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const program = join(folder, 'program')
  await writeFile(program, FAILING_PROGRAM, { mode: 0o700 })
  const clock = new VirtualClock()
  let failures = 0
  const packager = new Packager({
    clock,
    feed: new Feed(clock, { onTracks: () => {} }),
    program,
    folder,
    failed: () => (failures += 1),
  })
  await packager.start()
  for (const [count, delayMs] of [500, 2_000].entries()) {
    await waitFor('the program has failed', () => failures === count + 1)
    clock.advance(delayMs)
  }
  await waitFor('the program has failed again', () => failures === 3)
  await packager.stop()
  for (const track of [0, 1]) {
    const playlist = await readPlaylist(folder, `media_${track}.m3u8`)
    const runs = [1, 2, 3].map((run) =>
      [
        `#EXT-X-MAP:URI="${run}-init-${track}.m4s"`,
        ...[1, 2].flatMap((number) => ['#EXTINF:1.0,', `${run}-${track}-${number}.m4s`]),
      ].join('\n'),
    )
    assert.equal(
      playlist,
      `#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-TARGETDURATION:1\n#EXT-X-MEDIA-SEQUENCE:1\n#EXT-X-DISCONTINUITY-SEQUENCE:0\n${runs.join('\n#EXT-X-DISCONTINUITY\n')}\n`,
    )
  }
})
