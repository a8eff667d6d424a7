import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type TSchema, Type } from 'typebox'
import { Errors } from 'typebox/value'
import { accountUser, privacyUpdate, profileUpdate } from './account.ts'
import { decode } from './dialect.ts'
import { hasTooManyKeys, MAX_JSON_KEYS } from './json-limits.ts'
import { manifest } from './manifest.ts'
import { appToCloud } from './messages/app-to-cloud.ts'
import { glassesToCloud } from './messages/glasses-to-cloud.ts'
import { findViolations } from './schema-violations.ts'
import { tool, toolCall } from './tools.ts'
import { createValidator, MAX_EXPLAINED_LENGTH } from './validator.ts'

/** A JSON array of objects with the same number of keys, which repeat after `different`. */
function objects(count: number, keys: number, different: number): string {
  let key = 0
  const object = () =>
    Object.fromEntries(Array.from({ length: keys }, () => [`key number ${key++ % different}`, 1]))
  return JSON.stringify(Array.from({ length: count }, object))
}

test('ROB-9: different keys are counted across objects, repeated ones once', () => {
  assert.equal(hasTooManyKeys(objects(1, MAX_JSON_KEYS * 2, MAX_JSON_KEYS * 2)), true)
  assert.equal(hasTooManyKeys(objects(2_000, 10, 20_000)), true, 'across objects')
  assert.equal(hasTooManyKeys(objects(1, MAX_JSON_KEYS, MAX_JSON_KEYS)), false)
  assert.equal(hasTooManyKeys(objects(5_000, 10, 10)), false)
})

test('ROB-9: colons and escaped quotes inside strings are no keys', () => {
  const text = Array.from({ length: 50_000 }, (_, index) => `"${index}":\\`).join()
  assert.equal(hasTooManyKeys(JSON.stringify({ text, list: [text] })), false)
})

test('ROB-9: a message with too many keys is rejected without being parsed', () => {
  const wide = objects(1, MAX_JSON_KEYS * 2, MAX_JSON_KEYS * 2)
  const expected = { ok: false, reason: 'The message has more than 16000 different keys' }
  assert.deepEqual(decode(`{"type":"x","data":${wide}}`), expected)
  assert.deepEqual(decode(`{"type":"x","data":${wide}`), expected, 'invalid JSON is not parsed either')
})

const schemas: readonly TSchema[] = [
  ...Object.values<TSchema>(appToCloud),
  ...Object.values<TSchema>(glassesToCloud),
  accountUser,
  privacyUpdate,
  profileUpdate,
  manifest,
  tool,
  toolCall,
]

/** Values with the field names of a schema, most of them invalid. */
function arbitraryValue(schema: TSchema): fc.Arbitrary<unknown> {
  const { properties = {}, items } = schema as {
    properties?: Record<string, TSchema>
    items?: TSchema
  }
  const fields: Record<string, fc.Arbitrary<unknown>> = Object.fromEntries(
    Object.entries(properties).map(([key, property]) => [key, arbitraryValue(property)]),
  )
  const known = fc.constantFrom('main', 'text_wall', 'x', '', 0, 1.5, -1, null, true, [], {})
  return fc.oneof(
    known,
    fc.record(fields, { requiredKeys: [] }),
    fc.dictionary(fc.constantFrom('a', 'a b', 'type', 'a/b', 'm~n'), known),
    fc
      .tuple(fc.record(fields, { requiredKeys: [] }), known)
      .map(([value, unknown]) => ({ ...value, unknown })),
    fc.array(items ? arbitraryValue(items) : known, { maxLength: 3 }),
  )
}

const describeFirst = (errors: Parameters<typeof findViolations>[0]) => findViolations(errors)[0]

describe('validator', () => {
  test('ROB-7: the first violation is the one that an exhaustive search reports first', () => {
    for (const schema of schemas) {
      const validator = createValidator(schema)
      fc.assert(
        fc.property(arbitraryValue(schema), (value) => {
          const all = Errors(schema, value)
          if (validator.Check(value)) return assert.deepEqual(all, [])
          assert.deepEqual(describeFirst(validator.Errors(value)), describeFirst(all))
        }),
        { numRuns: 60, seed: 1 },
      )
    }
  })

  test('ROB-7: a value above 32 KiB is rejected without details', () => {
    const validator = createValidator(Type.Object({ name: Type.String(), text: Type.String() }))
    const valid = (length: number) => ({ name: 'x', text: 'x'.repeat(length) })
    assert.ok(validator.Check(valid(2 * MAX_EXPLAINED_LENGTH)))
    for (const [length, explained] of [
      [MAX_EXPLAINED_LENGTH - 100, true],
      [MAX_EXPLAINED_LENGTH, false],
    ] as const) {
      const invalid = { ...valid(length), name: 7 }
      assert.equal(validator.Check(invalid), false)
      assert.equal(validator.Errors(invalid).length > 0, explained)
      assert.equal(validator.AllErrors(invalid, 8).length, 1)
    }
  })

  test('ROB-7: an exceeded size is reported at any length, before any other violation', () => {
    const schema = Type.Object({
      list: Type.Array(Type.String(), { maxItems: 2 }),
      deep: Type.Optional(
        Type.Object({ map: Type.Record(Type.String(), Type.String(), { maxProperties: 1 }) }),
      ),
    })
    const validator = createValidator(schema)
    const long = { list: Array(100_000).fill(0) }
    assert.equal(validator.Check(long), false)
    assert.deepEqual(findViolations(validator.Errors(long)), [
      { field: 'list', problem: 'must have at most 2 entries' },
    ])
    const wide = { list: [7], deep: { map: { a: 0, b: 0 } } }
    assert.equal(validator.Check(wide), false)
    assert.deepEqual(findViolations(validator.Errors(wide)), [
      { field: 'deep.map', problem: 'must not have more than 1 properties' },
    ])
    assert.ok(validator.Check({ list: ['a', 'b'], deep: { map: { a: 'x' } } }))
  })

  test('ROB-7: unknown fields are named, however many there are', () => {
    const validator = createValidator(Type.Object({ on: Type.Boolean() }, { additionalProperties: false }))
    const invalid = { on: true, a: 1, b: 2 }
    assert.equal(validator.Check(invalid), false)
    assert.deepEqual(findViolations(validator.Errors(invalid)), [
      { field: 'a', problem: 'is not a known field' },
      { field: 'b', problem: 'is not a known field' },
    ])
  })

  test('ROB-6: defaults are filled in where a schema has any', () => {
    const validator = createValidator(Type.Object({ format: Type.String({ default: 'json' }) }))
    assert.deepEqual(validator.Default({}), { format: 'json' })
    const value = {}
    assert.equal(createValidator(Type.Object({ format: Type.String() })).Default(value), value)
    assert.deepEqual(value, {})
  })
})
