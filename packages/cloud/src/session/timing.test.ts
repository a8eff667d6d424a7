import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resolvePhoneTime } from './timing.ts'

test('LOC-4: a phone timestamp is used if it is plausible', () => {
  const now = Date.UTC(2026, 5, 1)
  for (const at of [now, now - 86_400_000, now + 60_000, Date.UTC(2020)]) {
    assert.equal(resolvePhoneTime(at, now), at)
    assert.equal(resolvePhoneTime(new Date(at).toISOString(), now), at)
    assert.equal(resolvePhoneTime(String(at), now), at)
    assert.equal(
      resolvePhoneTime(new Date(at).toISOString().replace('Z', ' '), now),
      at,
      'UTC without an offset',
    )
  }
  for (const at of [now, now - 3_600_000, now - 4_567])
    for (const seconds of [at / 1_000, String(at / 1_000)]) assert.equal(resolvePhoneTime(seconds, now), at)
  for (const timestamp of [
    now + 60_001,
    now | 0,
    -5,
    0,
    now / 1000 - 1e6,
    String(now / 1000 - 1e6),
    'now',
    '',
    Number.NaN,
    null,
    undefined,
    {},
  ])
    assert.equal(resolvePhoneTime(timestamp, now), now, String(timestamp))
})
