import { systemClock } from '@glasses-cloud/cloud/time'
import { BYTES_PER_MS } from '@glasses-cloud/phone'
import { formatTable, percentile } from '../figure.ts'
import { type Recognition, recognize } from './recognize.ts'
import { type Recognizer, RecognizerUse } from './recognizers.ts'
import type { Sound } from './sounds.ts'
import { addErrors, compareWords, NO_ERRORS, type WordErrors, wordErrorRate, wordsOf } from './word-errors.ts'

/** What a recognizer made of a sound, compared with its label. */
export interface SoundResult extends Recognition {
  readonly recognizer: string
  readonly sound: Sound
  readonly errors: WordErrors
}

/** What was measured of a recognizer with the sounds of one kind. */
export interface Measurement {
  readonly recognizer: string
  readonly kind: string
  readonly files: number
  readonly audioMs: number
  readonly errors: WordErrors
  /** One for each sound with text. */
  readonly firstTextMs: readonly number[]
  /** One for each sound. */
  readonly finalMs: readonly number[]
  /** Undefined where it cannot be measured. */
  readonly cpuMs: number | undefined
  readonly peakBytes: number | undefined
}

export interface MeasureOptions {
  readonly recognizers: readonly Recognizer[]
  readonly sounds: readonly Sound[]
  /** Language tag of what is spoken, or `auto`. */
  readonly language: string
  /** Seconds of audio that are sent in a second; 0: as fast as possible, without latencies. */
  readonly pace: number
  readonly onResult?: (result: SoundResult) => void
}

/**
 * Measures recognizers, one after another, with all sounds.
 * @throws UnusableInputError for a sound that cannot be read; Error if a recognizer fails
 */
export async function measure(options: MeasureOptions): Promise<Measurement[]> {
  const measurements: Measurement[] = []
  for (const recognizer of options.recognizers) {
    const running = await recognizer.start()
    try {
      for (const [kind, sounds] of Map.groupBy(options.sounds, (sound) => sound.kind))
        measurements.push(await measureKind(recognizer.name, running.provider, kind, sounds, options))
    } finally {
      await running.close()
    }
  }
  return measurements
}

async function measureKind(
  recognizer: string,
  provider: Awaited<ReturnType<Recognizer['start']>>['provider'],
  kind: string,
  sounds: readonly Sound[],
  { language, pace, onResult }: MeasureOptions,
): Promise<Measurement> {
  const use = new RecognizerUse()
  const results: SoundResult[] = []
  let audioMs = 0
  for (const sound of sounds) {
    const pcm = await sound.read()
    audioMs += pcm.byteLength / BYTES_PER_MS
    const work = () => recognize(provider, pcm, { language, pace, clock: systemClock })
    const recognition = await use.measure(work).catch((error: Error) => {
      throw new Error(`${recognizer} failed with ${sound.name}: ${error.message}`, { cause: error })
    })
    const errors = compareWords(sound.label, recognition.text)
    const result = { ...recognition, recognizer, sound, errors }
    results.push(result)
    onResult?.(result)
  }
  return {
    recognizer,
    kind,
    files: sounds.length,
    audioMs,
    errors: results.map(({ errors }) => errors).reduce(addErrors, NO_ERRORS),
    firstTextMs: results.flatMap(({ firstTextMs }) => firstTextMs ?? []),
    finalMs: results.flatMap(({ finalMs }) => finalMs ?? []),
    cpuMs: use.cpuMs,
    peakBytes: use.peakBytes,
  }
}

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
export function formatMeasurements(measurements: readonly Measurement[]): string {
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
  return formatTable(COLUMNS, rows)
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
