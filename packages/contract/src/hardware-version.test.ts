import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isOlderVersion, isVersionRequired } from './hardware-version.ts'

test('CAT-66: pairs of versions', () => {
  const ascending = [
    '0.9',
    '1.0.0-alpha',
    '1.0.0-beta.2',
    '1.0.0-beta.10',
    'v1.0',
    '1.0.0.1',
    '1.2.0',
    ' 1.10 ',
    '2',
    '17.26.1.14',
    '20250814',
  ]
  for (const [index, version] of ascending.entries())
    for (const [other, required] of ascending.entries())
      assert.equal(isOlderVersion(version, required), index < other, `${version} and ${required}`)
  for (const same of ['1.2', 'V1.2.0', '1.2.0.0', '1.2.0+build5', '1.2.0_b2', '1.2.0 (12)']) {
    assert.equal(isOlderVersion(same, '1.2.0'), false, same)
    assert.equal(isOlderVersion('1.2.0', same), false, same)
  }
})

test('CAT-66: what is not a version is not compared', () => {
  for (const unknown of [null, '', 'unknown', 'G1', '1..2', '1.2.', '-1', `1.${'9'.repeat(10)}`, '1.x'])
    assert.equal(isOlderVersion(unknown, '1.0'), undefined, String(unknown))
  assert.equal(isOlderVersion('1.0', 'newest'), undefined)
})

test('CAT-66: an empty minimum and 0.0.0 require nothing', () => {
  for (const nothing of [null, undefined, '', ' ', '0', '0.0.0', 'v0.0'])
    assert.equal(isVersionRequired(nothing), false, String(nothing))
  for (const version of ['0.0.1', '1', 'newest']) assert.equal(isVersionRequired(version), true, version)
})
