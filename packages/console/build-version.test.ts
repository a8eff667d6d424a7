import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { buildVersion } from './build-version.ts'

test('CON-213: a build that changes only the offline page has a worker and a cache of its own', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'console-'))
  t.after(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'offline.html'), 'first')
  const first = await buildVersion(['a-1.js', 'sw.js'], folder)
  assert.match(first, /^[\da-f]{16}$/)
  assert.equal(await buildVersion(['sw.js', 'a-1.js'], folder), first)
  assert.notEqual(await buildVersion(['a-2.js', 'sw.js'], folder), first)
  await writeFile(join(folder, 'offline.html'), 'second')
  assert.notEqual(await buildVersion(['a-1.js', 'sw.js'], folder), first)
})
