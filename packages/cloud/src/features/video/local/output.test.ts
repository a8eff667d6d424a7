import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { waitFor } from '../../../../test/support/wait-for.ts'
import { systemClock } from '../../../time/index.ts'
import { Feed } from './feed.ts'
import { Output } from './output.ts'

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
