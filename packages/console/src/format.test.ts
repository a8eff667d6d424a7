import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findRegion, formatList, formatNumber, plural } from './format.ts'

test('counts have the plural of English', () => {
  const forms = { one: 'app', other: 'apps' }
  assert.deepEqual(
    [0, 1, 2, 21].map((count) => plural(count, forms)),
    ['apps', 'app', 'apps', 'apps'],
  )
})

test('dates and numbers are written as in the first English region of the browser', () => {
  assert.equal(findRegion(['de-DE', 'en-GB', 'en-US']), 'en-GB')
  assert.equal(findRegion(['fr', 'EN-au']), 'EN-au')
  assert.equal(findRegion(['en-US@posix', 'en-IE']), 'en-IE')
  assert.equal(findRegion(['ene', 'de']), 'en')
  assert.equal(findRegion([]), 'en')
  assert.equal(formatNumber(1_234.56), '1,234.6')
  assert.match(formatList(['a', 'b', 'c']), /^a, b,? and c$/)
})
