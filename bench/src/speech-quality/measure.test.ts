import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { formatMeasurements, formatResult, type Measurement } from './measure.ts'

const MEASUREMENT: Measurement = {
  recognizer: 'a-model',
  kind: 'test | clean',
  files: 4,
  audioMs: 20_000,
  errors: { words: 40, substitutions: 3, insertions: 1, deletions: 2 },
  firstTextMs: [400, 100, 300, 200],
  finalMs: [40, 10, 30, 20],
  cpuMs: 5_000,
  peakBytes: 300 * 1_024 * 1_024,
}

describe('Report', () => {
  test('a row for each measurement, and dashes for what is not measured', () => {
    const unknown = { ...MEASUREMENT, firstTextMs: [], finalMs: [], cpuMs: undefined, peakBytes: undefined }
    const [, , first, second] = formatMeasurements([MEASUREMENT, unknown]).split('\n')
    assert.equal(
      first,
      '| a-model | test \\| clean | 4 | 40 | 15.0 % | 3 | 1 | 2 | 300 ms / 400 ms | 30 ms / 40 ms | 0.25 | 300 MB |',
    )
    assert.match(String(second), /\| 2 \| – \| – \| – \| – \|$/)
  })

  test('a sound with what was spoken and recognized, if they differ', () => {
    const result = {
      recognizer: 'a-model',
      sound: { name: 'one.wav', kind: 'x', label: 'It’s fine.', read: async () => Buffer.alloc(0) },
      text: 'Its fine',
      errors: { words: 2, substitutions: 1, insertions: 0, deletions: 0 },
      firstTextMs: 120.4,
      finalMs: undefined,
    }
    assert.equal(
      formatResult(result),
      'a-model: one.wav: 50.0 %; 1 substituted, 0 inserted, 0 deleted; first text 120 ms\n' +
        "  spoken:     it's fine\n" +
        '  recognized: its fine',
    )
    const errors = { ...result.errors, substitutions: 0 }
    assert.doesNotMatch(formatResult({ ...result, errors }), /\n/)
  })
})
