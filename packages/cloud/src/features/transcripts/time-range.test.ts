import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseRange } from './time-range.ts'

const now = Date.UTC(2025, 0, 31, 12)

describe('time range', () => {
  test('TRN-10: a duration counts back from now and takes precedence over a range', () => {
    const expected = { ok: true, range: { from: now - 1_500, to: now } }
    assert.deepEqual(parseRange({ duration: 1.5 }, now), expected)
    assert.deepEqual(
      parseRange({ duration: 1.5, startTime: 'nonsense', endTime: '2020-01-01' }, now),
      expected,
    )
  })

  test('TRN-11: times are ISO 8601, in UTC without a zone', () => {
    const from = Date.UTC(2025, 0, 1, 8)
    for (const startTime of [
      '2025-01-01T08:00:00Z',
      '2025-01-01T08:00Z',
      '2025-01-01T08:00:00.000Z',
      '2025-01-01T08:00:00,000z',
      '2025-01-01T08:00:00.000000',
      '2025-01-01T10:00:00+02:00',
      '2025-01-01T03:00:00-0500',
      '2025-01-01t08:00',
    ])
      assert.deepEqual(parseRange({ startTime, endTime: '2025-01-02' }, now), {
        ok: true,
        range: { from, to: Date.UTC(2025, 0, 2) },
      })
    assert.equal(parseRange({ startTime: '2024-02-29', endTime: '2024-02-29' }, now).ok, true)
  })

  test('TRN-12: an invalid time or range is rejected with a message', () => {
    const problem = (startTime?: string, endTime?: string) => {
      const reading = parseRange({ startTime, endTime }, now)
      return reading.ok ? 'none' : reading.problem
    }
    assert.equal(problem(), undefined)
    assert.equal(problem('2025-01-01'), undefined)
    assert.equal(problem(undefined, 'yesterday'), undefined)
    assert.equal(problem('2025-01-02', '2025-01-01'), 'startTime must not be after endTime')
    for (const odd of [
      '',
      'yesterday',
      '1735718400',
      '2025-02-30',
      '2025-13-01',
      '2025-01-01T25:00Z',
      '01/02/2025',
      '2025-01-01T08:00 02:00',
    ]) {
      assert.equal(
        problem(odd, '2026-01-01'),
        'startTime must be an ISO 8601 time like 2025-01-31T18:30:00Z',
        odd,
      )
      assert.equal(
        problem('2020-01-01', odd),
        'endTime must be an ISO 8601 time like 2025-01-31T18:30:00Z',
        odd,
      )
    }
  })
})
