import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import {
  appToCloud,
  checkAppMessage,
  checkGlassesMessage,
  decode,
  glassesToCloud,
} from '@glasses-cloud/contract'
import type { TSchema } from 'typebox'
import { type Endpoint, urlsOf } from '../../src/http/endpoint.ts'
import { validatorCompiler } from '../../src/http/validation.ts'
import { HostileValues } from '../support/hostile-values.ts'
import { suiteScope } from '../support/scope.ts'
import { startCloud } from '../support/test-cloud.ts'

/** Lengths of hostile values, in characters: a violation is explained below 32 KiB, and not above (ROB-7). */
const LENGTHS = [16_000, 28_000, 40_000]

const values = new HostileValues(LENGTHS)

/** How much longer handling a text may take than parsing it and visiting each of its values once. */
const MAX_RATIO = 6

/** Texts that parse very fast, such as one long string, are compared with this usual text of the same length. */
const usual = JSON.stringify(
  Array.from({ length: 700 }, (_, id) => ({ id, name: `name ${id}`, on: true, at: [id, 1.5] })),
)

/** Milliseconds that a run takes: the fastest of several, because garbage collection and other processes only add time. */
function measure(run: () => unknown, runs: number): number {
  const times = Array.from({ length: runs }, () => {
    const start = performance.now()
    run()
    return performance.now() - start
  })
  return Math.min(...times)
}

/** The linear baseline: parses a text and visits each value once. */
function parseAndVisit(text: string): number {
  return countValues(JSON.parse(text))
}

function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  let count = 1
  const fields = value as Readonly<Record<string, unknown>>
  for (const key in fields) count += countValues(fields[key])
  return count
}

/** Milliseconds to parse and visit a usual text of this length. */
const measureUsual = (length: number) => (measure(() => parseAndVisit(usual), 15) / usual.length) * length

/** Asserts that handling each hostile value of a schema takes time in proportion to parsing it. */
function assertLinear(
  schema: TSchema,
  prepare: (json: string, index: number) => { text: string; handle(): unknown } | undefined,
): void {
  const perCharacter = measureUsual(1)
  for (const [index, { label, json }] of [...values.of(schema)].entries()) {
    const prepared = prepare(json, index)
    if (prepared === undefined) continue
    const { text, handle } = prepared
    handle()
    if (measure(handle, 1) <= perCharacter * text.length * MAX_RATIO) continue
    // One slow run may be due to the garbage collector or a busy machine: measure again before failing.
    let comparison = compare(text, handle)
    for (let attempt = 1; attempt < 5 && comparison.ratio > MAX_RATIO; attempt++)
      comparison = compare(text, handle)
    assert.ok(comparison.ratio <= MAX_RATIO, `${label}: ${comparison.summary}`)
  }
}

/** Compares the time to handle a text with the linear baseline. */
function compare(text: string, handle: () => unknown): { ratio: number; summary: string } {
  const took = measure(handle, 7)
  const baseline = Math.max(
    measure(() => parseAndVisit(text), 7),
    measureUsual(text.length),
  )
  const summary = `${took.toFixed(2)} ms for ${text.length} characters, against ${baseline.toFixed(2)} ms`
  return { ratio: took / baseline, summary }
}

const directions = [
  ['an app', appToCloud, checkAppMessage],
  ['glasses', glassesToCloud, checkGlassesMessage],
] as const

describe('validation cost of messages', () => {
  for (const [sender, catalogue, check] of directions)
    for (const [type, schema] of Object.entries<TSchema>(catalogue))
      test(`ROB-6: ${type} from ${sender} is decoded and validated in linear time`, () => {
        assertLinear(schema, (json, index) => {
          if (!json.startsWith('{')) return undefined
          // Fields after the first ones replace those of the same name, such as a hostile type.
          const flat = json === '{}' ? `{"type":"${type}"}` : `${json.slice(0, -1)},"type":"${type}"}`
          const text = index % 3 < 2 ? flat : `{"type":"${type}","data":${json}}`
          const handle = () => {
            const decoded = decode(text)
            if (decoded.ok) check(decoded.message)
          }
          return { text, handle }
        })
      })
})

describe('validation cost of requests', () => {
  const scope = suiteScope()
  let endpoints: readonly Endpoint[]

  before(async () => {
    endpoints = (await startCloud(scope)).cloud.server.endpoints
  })

  test('ROB-6: every request body is validated in linear time', () => {
    let checked = 0
    for (const endpoint of endpoints) {
      const { body } = endpoint.schema
      if (body === undefined) continue
      const validate = validatorCompiler({
        schema: body,
        method: endpoint.method,
        url: urlsOf(endpoint)[0] ?? '',
        httpPart: 'body',
      })
      try {
        assertLinear(body, (json) => {
          const value: unknown = JSON.parse(json)
          return { text: json, handle: () => validate(value) }
        })
      } catch (error) {
        assert.fail(`${endpoint.method} ${urlsOf(endpoint)[0]}: ${String(error)}`)
      }
      checked += 1
    }
    assert.ok(checked > 20)
  })
})
