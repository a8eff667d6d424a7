import { percentile } from '../statistics.ts'
import type { Measurement, SoundResult } from './measure.ts'
import { type WordErrors, wordErrorRate, wordsOf } from './word-errors.ts'

const COLUMNS = [
  'Model',
  'Sound',
  'Files',
  'Words',
  'Word error rate',
  'Substituted',
  'Inserted',
  'Deleted',
  'First text, p50 / p95',
  'Final text, p50 / p95',
  'Real-time factor',
  'Memory',
]

/** What is not measured. */
const NONE = '–'

/** Formats measurements as a table in Markdown. */
export function formatTable(measurements: readonly Measurement[]): string {
  const rows = measurements.map((measurement) => {
    const { recognizer, kind, files, audioMs, errors, firstTextMs, finalMs, cpuMs, peakBytes } = measurement
    return [
      recognizer,
      kind,
      `${files}`,
      `${errors.words}`,
      formatRate(errors),
      `${errors.substitutions}`,
      `${errors.insertions}`,
      `${errors.deletions}`,
      formatTimes(firstTextMs),
      formatTimes(finalMs),
      cpuMs === undefined ? NONE : (cpuMs / audioMs).toFixed(2),
      peakBytes === undefined ? NONE : `${(peakBytes / 1_024 / 1_024).toFixed(0)} MB`,
    ]
  })
  return [COLUMNS, COLUMNS.map(() => '---'), ...rows].map(formatRow).join('\n')
}

/** Formats the result of one sound: the figures in a line, then what was spoken and recognized, if they differ. */
export function formatResult({ recognizer, sound, errors, text, firstTextMs, finalMs }: SoundResult): string {
  const { substitutions, insertions, deletions } = errors
  const times = [
    ...(firstTextMs === undefined ? [] : [`first text ${formatMs(firstTextMs)}`]),
    ...(finalMs === undefined ? [] : [`final text ${formatMs(finalMs)}`]),
  ]
  const counts = `${substitutions} substituted, ${insertions} inserted, ${deletions} deleted`
  const line = `${recognizer}: ${sound.name}: ${[formatRate(errors), counts, ...times].join('; ')}`
  if (substitutions + insertions + deletions === 0) return line
  return [
    line,
    `  spoken:     ${wordsOf(sound.label).join(' ')}`,
    `  recognized: ${wordsOf(text).join(' ')}`,
  ].join('\n')
}

function formatRow(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

function formatRate(errors: WordErrors): string {
  return errors.words === 0 ? NONE : `${(wordErrorRate(errors) * 100).toFixed(1)} %`
}

function formatTimes(times: readonly number[]): string {
  return times.length === 0
    ? NONE
    : `${formatMs(percentile(times, 0.5))} / ${formatMs(percentile(times, 0.95))}`
}

function formatMs(ms: number): string {
  return `${ms.toFixed(0)} ms`
}
