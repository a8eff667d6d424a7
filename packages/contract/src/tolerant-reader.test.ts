import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type TSchema, Type } from 'typebox'
import { checkGlassesMessage } from './messages/glasses-to-cloud.ts'
import { anyForm, anyPart, shortened } from './tolerant-reader.ts'
import { createValidator } from './validator.ts'

const fields = {
  id: Type.String({ minLength: 1, maxLength: 5 }),
  title: shortened(4, { default: '' }),
  count: Type.Optional(Type.Integer({ minimum: 0 })),
  on: Type.Optional(Type.Boolean()),
  mode: Type.Optional(Type.Enum(['fast', 'slow'])),
  time: Type.Optional(Type.Union([Type.Number(), Type.String()])),
  inner: Type.Optional(Type.Object({ size: Type.Number(), name: Type.Optional(shortened(3)) })),
  list: Type.Optional(Type.Array(Type.Object({ key: Type.String() }))),
}
const part = Type.Object(fields, anyPart)
const form = Type.Object(fields, anyForm)

/** What a value is read as, and what is left out; undefined if it is rejected. */
function read(schema: TSchema, value: object): [value: object, ignored: readonly string[]] | undefined {
  const copy = structuredClone(value)
  const ignored = createValidator(schema).Read(copy)
  if (ignored === undefined) assert.deepEqual(copy, value, 'a rejected value is unchanged')
  return ignored && [copy, ignored]
}

describe('tolerant reader', () => {
  test('PHN-65: null counts as absent, and values are read in other forms', () => {
    for (const schema of [part, form])
      for (const [value, expected] of [
        [{ count: null, on: null, mode: null, inner: null, list: null, time: null }, {}],
        [{ id: 7 }, { id: '7' }],
        [{ id: -0.5 }, { id: '-0.5' }],
        [
          { count: ' 12 ', on: 'TRUE', mode: 'Slow' },
          { count: 12, on: true, mode: 'slow' },
        ],
        [{ on: 0 }, { on: false }],
        [{ on: '1' }, { on: true }],
        [{ time: '12' }, { time: '12' }],
        [{ inner: { size: '1.5', name: 3, more: true } }, { inner: { size: 1.5, name: '3', more: true } }],
        [
          { list: [{ key: 1 }], more: null },
          { list: [{ key: '1' }], more: null },
        ],
        [{ title: 'longer' }, { title: 'long' }],
        [{ title: 'abc👓e' }, { title: 'abc' }],
      ] as const)
        assert.deepEqual(
          read(schema, { id: 'a', title: 't', ...value }),
          [{ id: 'a', title: 't', ...expected }, []],
          JSON.stringify(value),
        )
  })

  test('PHN-65: messages of phones have the described form once they are read', () => {
    for (const [message, expected] of [
      [{ type: 'head_position', position: 'UP' }, { position: 'up' }],
      [{ type: 'VAD', status: 1 }, { status: true }],
      [{ type: 'vad', status: 'True' }, { status: true }],
      [
        { type: 'glasses_battery_update', level: '55', charging: 'false' },
        { level: 55, charging: false },
      ],
      [{ type: 'phone_battery_update', level: null }, { level: -1 }],
      [
        { type: 'local_transcription', text: 'hi', isFinal: 1, speakerId: 2 },
        { isFinal: true, speakerId: 2 },
      ],
      [
        { type: 'photo_response', requestId: 7, success: 'true', photoUrl: null },
        { requestId: '7', success: true },
      ],
    ] as const) {
      const checked = checkGlassesMessage({ ...message })
      const { photoUrl: _, ...fields } = { photoUrl: null, ...message }
      assert.deepEqual(
        checked,
        { kind: 'known', message: { ...fields, ...expected } },
        JSON.stringify(message),
      )
    }
  })

  test('PHN-66: what cannot be read is left out and named, and a default takes its place', () => {
    const base = { id: 'a', title: 't' }
    for (const [value, expected, ignored] of [
      [{ count: 'many' }, {}, ['count']],
      [{ count: -1, on: 'maybe', mode: 'odd' }, {}, ['count', 'on', 'mode']],
      [{ count: '', mode: '' }, {}, []],
      [{ title: null }, { title: '' }, []],
      [{ title: { text: 'x' } }, { title: '' }, ['title']],
      [{ inner: { size: 'big', name: 'abcd' } }, {}, ['inner']],
      [{ inner: { size: 1, name: [] } }, { inner: { size: 1 } }, ['inner.name']],
      [{ list: [null, { key: 'k' }, 3] }, { list: [{ key: 'k' }] }, ['list[0]', 'list[2]']],
    ] as const) {
      const what = JSON.stringify(value)
      assert.deepEqual(read(part, { ...base, ...value }), [{ ...base, ...expected }, ignored], what)
      const isLossless = Object.values(value).every((each) => each === null)
      if (!isLossless) assert.equal(read(form, { ...base, ...value }), undefined, `${what} of an app`)
    }
    assert.deepEqual(read(part, { id: 'a' }), [{ id: 'a', title: '' }, []])
  })

  test('PHN-67: a value that is needed is neither shortened nor left out', () => {
    for (const value of [
      {},
      { id: null },
      { id: '' },
      { id: 'longer' },
      { id: {} },
      { id: ['a'] },
      { id: 2 ** 60 },
      { id: Number.POSITIVE_INFINITY },
      [],
    ])
      for (const schema of [part, form])
        assert.equal(read(schema, Array.isArray(value) ? value : { title: 't', ...value }), undefined)
  })

  test('PHN-65: alternatives are tried in order, and none leaves traces of another one', () => {
    const places = [
      Type.Object({ lat: Type.Number(), speed: Type.Optional(Type.Number()) }),
      Type.Object({ latitude: Type.Number() }),
    ]
    const union = Type.Union([Type.Object({ place: Type.Union(places) }), ...places], anyPart)
    assert.deepEqual(read(union, { speed: 'fast', latitude: '1' }), [{ speed: 'fast', latitude: 1 }, []])
    assert.deepEqual(read(union, { place: { lat: '1', speed: {} } }), [
      { place: { lat: 1 } },
      ['place.speed'],
    ])
    const both = Type.Intersect([Type.Object({ id: Type.String() }), union], anyPart)
    assert.deepEqual(read(both, { id: 1, lat: '2' }), [{ id: '1', lat: 2 }, []])
    assert.equal(read(both, { id: 1 }), undefined)
  })

  test('HTTP-12: other schemas have no other forms', () => {
    assert.equal(read(Type.Object(fields), { id: 7, title: 't' }), undefined)
  })
})
