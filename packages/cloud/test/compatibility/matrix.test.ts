import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { formatPage, runMatrix } from './matrix.ts'
import { installVersion } from './sdk-versions.ts'

/** The versions that are run with every test run; `npm run compatibility` runs all. */
const TESTED = ['2.1.28', '2.1.29', '3.0.0-alpha.4']

const page = await readFile(new URL('../../../../docs/compatibility.md', import.meta.url), 'utf8')

/** Why the versions cannot be installed; false if they can. */
const missing = await Promise.all(TESTED.map(installVersion)).then(
  () => false,
  (error: Error) => {
    if (process.env.REQUIRE_SERVICES === '1') throw error
    return 'the package registry does not answer'
  },
)

test('CMP-10 CMP-30 PHO-35: an app works on each version of the SDK as the matrix says', {
  skip: missing,
}, async (t) => {
  const lines = await runMatrix(t, TESTED)
  const generated = formatPage(lines)
  const [introduction] = page.split('\n| version')
  assert.ok(
    generated.startsWith(introduction ?? ''),
    'docs/compatibility.md is generated: npm run compatibility',
  )
  for (const row of [...lines.values()].flat()) {
    assert.doesNotMatch(row, /\*\*no\*\*/)
    assert.ok(page.includes(`\n${row}\n`), `not in docs/compatibility.md: ${row}`)
  }
})

test('CMP-30: everything in the matrix works', () => {
  assert.ok(page.split('\n').filter((line) => /^\| \d/.test(line)).length >= 6)
  assert.doesNotMatch(page, /\*\*no\*\*/)
})
