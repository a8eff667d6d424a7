import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { validateSettingDeclarations } from './setting-declarations.ts'

const options = [
  { label: 'Small', value: 's' },
  { label: 'Big', value: 'b' },
]
const named = (type: string, key: string) => ({ type, key, label: key })

/** Declarations of every type, with the minimum and with all of their fields. */
const valid = [
  { type: 'group', title: 'Looks' },
  { type: 'titleValue', label: 'Version', value: '1.2' },
  { ...named('toggle', 'a'), defaultValue: false },
  named('text', 'b'),
  { ...named('text_no_save_button', 'c'), defaultValue: '' },
  { ...named('select', 'd'), options, defaultValue: 's' },
  { ...named('select_with_search', 'e'), options },
  { ...named('multiselect', 'f'), options, defaultValue: ['s', 'b'] },
  { ...named('slider', 'g'), min: 1, max: 1, defaultValue: 1 },
  named('numeric_input', 'h'),
  { ...named('numeric_input', 'i'), min: 0, max: 9, step: 0.5, placeholder: 'how many', defaultValue: 9 },
  { ...named('time_picker', 'j'), defaultValue: 86_399, showSeconds: true },
]

describe('setting declarations', () => {
  test('CLI-26: every type is accepted, also with additional fields', () => {
    assert.deepEqual(validateSettingDeclarations(valid), [])
    assert.deepEqual(validateSettingDeclarations(valid.map((setting) => ({ ...setting, hint: 'more' }))), [])
  })

  const invalid: [declaration: Record<string, unknown>, problem: RegExp][] = [
    [{ key: 'a', label: 'A' }, /^settings\[0\]\.type is required$/],
    [named('switch', 'a'), /^settings\[0\]\.type must be one of toggle, text, .*, titleValue$/],
    [named('toString', 'a'), /^settings\[0\]\.type must be one of/],
    [{ type: 'group' }, /^settings\[0\]\.title is required$/],
    [{ type: 'titleValue', label: 'Version' }, /^settings\[0\]\.value is required$/],
    [{ type: 'text', label: 'A' }, /^settings\[0\]\.key is required$/],
    [{ ...named('text', 'a'), key: '' }, /^settings\[0\]\.key must not be empty$/],
    [{ type: 'text', key: 'a' }, /^settings\[0\]\.label is required$/],
    [named('toggle', 'a'), /^settings\[0\]\.defaultValue is required$/],
    [{ ...named('toggle', 'a'), defaultValue: 'true' }, /^settings\[0\]\.defaultValue must be a boolean$/],
    [{ ...named('text', 'a'), defaultValue: 5 }, /^settings\[0\]\.defaultValue must be a string$/],
    [named('select', 'a'), /^settings\[0\]\.options is required$/],
    [{ ...named('select', 'a'), options: [] }, /^settings\[0\]\.options must have at least 1 entries$/],
    [
      { ...named('select', 'a'), options: [{ value: 1 }] },
      /^settings\[0\]\.options\[0\]\.label is required$/,
    ],
    [
      { ...named('select', 'a'), options: [{ label: 'x' }] },
      /^settings\[0\]\.options\[0\]\.value is required$/,
    ],
    [
      { ...named('select', 'a'), options: [...options, { label: 'Tiny', value: 's' }] },
      /^settings\[0\]\.options\[2\]\.value duplicates the value of an earlier option$/,
    ],
    [
      { ...named('select', 'a'), options, defaultValue: 'x' },
      /^settings\[0\]\.defaultValue must be one of its options$/,
    ],
    [
      { ...named('multiselect', 'a'), options, defaultValue: 's' },
      /^settings\[0\]\.defaultValue must be a list of its options, each at most once$/,
    ],
    [{ ...named('slider', 'a'), min: 1, max: 9 }, /^settings\[0\]\.defaultValue is required$/],
    [
      { ...named('slider', 'a'), min: 9, max: 1, defaultValue: 5 },
      /^settings\[0\]\.min must be 1 or less, which is max$/,
    ],
    [
      { ...named('slider', 'a'), min: 1, max: 9, defaultValue: 10 },
      /^settings\[0\]\.defaultValue must be 9 or less$/,
    ],
    [{ ...named('numeric_input', 'a'), step: 0 }, /^settings\[0\]\.step must be more than 0$/],
    [
      { ...named('numeric_input', 'a'), min: 2, defaultValue: 1 },
      /^settings\[0\]\.defaultValue must be 2 or more$/,
    ],
    [
      { ...named('time_picker', 'a'), defaultValue: 86_400 },
      /^settings\[0\]\.defaultValue must be a time of day/,
    ],
    [{ ...named('time_picker', 'a'), showSeconds: 1 }, /^settings\[0\]\.showSeconds must be a boolean$/],
  ]
  for (const [declaration, problem] of invalid) {
    test(`CLI-26: ${JSON.stringify(declaration)} is reported in a sentence`, () => {
      const problems = validateSettingDeclarations([declaration])
      assert.equal(problems.length, 1, problems.join('; '))
      assert.match(problems[0] ?? '', problem)
    })
  }

  test('CLI-26: keys are unique, and each invalid setting is reported with its path', () => {
    const twice = [named('text', 'a'), { type: 'group', title: 'More' }, named('text', 'a')]
    assert.deepEqual(validateSettingDeclarations(twice), [
      'settings[2].key duplicates the key of an earlier setting',
    ])
    const several = [named('text', 'a'), named('toggle', 'b'), named('slider', 'c')]
    const places = validateSettingDeclarations(several).map((problem) => problem.split('.')[0])
    assert.deepEqual([...new Set(places)], ['settings[1]', 'settings[2]'])
  })
})
