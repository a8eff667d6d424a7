import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { skipIfMissing } from '../support/optional-part.ts'
import { startCloud } from '../support/test-cloud.ts'
import { formatPage, runMatrix } from './matrix.ts'
import { formatMissingCalls, MISSING_CALLS } from './missing-calls.ts'
import { installVersion } from './sdk-versions.ts'

/** The versions that are run with every test run; `npm run compatibility` runs all. */
const TESTED = ['2.1.28', '2.1.29', '3.0.0-alpha.4']

const page = await readFile(new URL('../../../../docs/compatibility.md', import.meta.url), 'utf8')

/** Why the versions cannot be installed; false if they can. */
const missing = await Promise.all(TESTED.map(installVersion)).then(
  () => false as const,
  (error: Error) => skipIfMissing('the package registry does not respond (connect to the network)', error),
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

test('CMP-31: the page lists the calls of the clients of the reference that are answered with 404, 405 or 410', async (t) => {
  assert.ok(page.endsWith(formatMissingCalls()), 'docs/compatibility.md is generated: npm run compatibility')
  const cloud = await startCloud(t)
  const token = await cloud.token('ada@example.com')
  for (const call of MISSING_CALLS.flatMap(({ calls }) => calls)) {
    const [method = '', path = ''] = call.split(' ')
    const url = cloud.url + path.replaceAll(/:[a-zA-Z]+/g, 'org.example.any')
    const response = await fetch(url, { method, headers: { authorization: `Bearer ${token}` } })
    assert.ok([404, 405, 410].includes(response.status), `${call} returned ${response.status}`)
    assert.doesNotMatch(await response.text(), /(App|Organization) not found/, call)
  }
})
