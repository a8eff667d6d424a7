import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readToolArguments, selectValidTools, type Tool, validateToolDeclarations } from './tools.ts'

const note: Tool = {
  id: 'take_note',
  description: 'Takes a note',
  activationPhrases: ['note that'],
  parameters: {
    text: { type: 'string', description: 'What to note', required: true },
    color: { type: 'string', description: 'Of the paper', enum: ['red', 'blue'] },
    priority: { type: 'number', description: 'How important', enum: [1, 2] },
    pinned: { type: 'boolean', description: 'On top' },
  },
}

describe('tool declarations', () => {
  test('CLI-27: a tool is accepted with the minimum and with all of its fields', () => {
    assert.deepEqual(validateToolDeclarations([note, { id: 'stop', description: 'Stops' }]), [])
  })

  const parameters = (over: object) => ({
    ...note,
    parameters: { text: { ...note.parameters?.text, ...over } },
  })
  const invalid: [declaration: unknown, problem: RegExp][] = [
    [{ ...note, id: undefined }, /^tools\[0\]\.id is required$/],
    [{ ...note, id: 'take a note' }, /^tools\[0\]\.id must be a name like take_note/],
    [{ ...note, description: '' }, /^tools\[0\]\.description must not be empty$/],
    [{ ...note, activationPhrases: 'note' }, /^tools\[0\]\.activationPhrases must be a list$/],
    [{ ...note, parameters: [] }, /^tools\[0\]\.parameters must be an object$/],
    [
      parameters({ type: 'object' }),
      /^tools\[0\]\.parameters\.text\.type must be one of string, number, boolean$/,
    ],
    [parameters({ description: undefined }), /^tools\[0\]\.parameters\.text\.description is required$/],
    [parameters({ required: 'yes' }), /^tools\[0\]\.parameters\.text\.required must be a boolean$/],
    [parameters({ enum: [1] }), /^tools\[0\]\.parameters\.text\.enum must contain only string values$/],
    [
      { ...note, parameters: { 'a b': note.parameters?.text } },
      /^tools\[0\]\.parameters\.a b must be a name like text or max_length, without spaces$/,
    ],
  ]
  for (const [declaration, problem] of invalid) {
    const plain: unknown = JSON.parse(JSON.stringify(declaration))
    test(`CLI-27: ${JSON.stringify(plain)} is reported in a sentence`, () => {
      const problems = validateToolDeclarations([plain])
      assert.equal(problems.length, 1, problems.join('; '))
      assert.match(problems[0] ?? '', problem)
    })
  }

  test('CLI-27: ids are unique', () => {
    assert.deepEqual(validateToolDeclarations([note, note]), [
      'tools[1].id duplicates the id of an earlier tool',
    ])
  })

  test('ATL-2: invalid older declarations are filtered out', () => {
    assert.deepEqual(selectValidTools([note, { id: 'odd' }, 'text', null]), [note])
  })
})

describe('tool arguments', () => {
  test('ATL-5: arguments of the declared types, including all required ones, are valid', () => {
    const all = { text: 'x', color: 'red', priority: 2, pinned: false }
    for (const args of [{ text: '' }, all])
      assert.deepEqual(readToolArguments(note, args), { ok: true, args, ignored: [] })
    assert.deepEqual(readToolArguments({ id: 'stop', description: 'Stops' }, {}), {
      ok: true,
      args: {},
      ignored: [],
    })
  })

  test('ATL-11: undeclared arguments of any type are ignored and named', () => {
    const given = JSON.parse('{"text":"x","size":1,"constructor":{},"__proto__":null,"tags":["a"]}')
    const long = 'n'.repeat(60)
    assert.deepEqual(readToolArguments(note, { ...given, [long]: 1 }), {
      ok: true,
      args: { text: 'x' },
      ignored: ['size', 'constructor', '__proto__', 'tags', `${'n'.repeat(50)}…`],
    })
  })

  const invalid: [given: Record<string, unknown>, problem: string][] = [
    [{}, 'toolParameters.text is required'],
    [{ text: 5 }, 'toolParameters.text must be a string'],
    [{ text: 'x', pinned: 'true' }, 'toolParameters.pinned must be a boolean'],
    [{ text: 'x', priority: '1' }, 'toolParameters.priority must be a number'],
    [{ text: 'x', priority: 3 }, 'toolParameters.priority must be one of 1, 2'],
    [{ text: 'x', color: 'green' }, 'toolParameters.color must be one of red, blue'],
    [{ text: ['x'] }, 'toolParameters.text must be a string'],
    [{ text: null }, 'toolParameters.text must be a string'],
    [{ text: 'x'.repeat(10_001) }, 'toolParameters.text must have at most 10000 characters'],
  ]
  for (const [given, problem] of invalid) {
    test(`ATL-5: ${JSON.stringify(given).slice(0, 60)} is rejected`, () => {
      assert.deepEqual(readToolArguments(note, given), { ok: false, problem })
    })
  }
})
