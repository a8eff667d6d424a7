import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { selectValidTools, type Tool, validateToolArguments, validateToolDeclarations } from './tools.ts'

const note: Tool = {
  id: 'take_note',
  description: 'Takes a note',
  activationPhrases: ['note that'],
  parameters: {
    text: { type: 'string', description: 'What to note', required: true },
    colour: { type: 'string', description: 'Of the paper', enum: ['red', 'blue'] },
    priority: { type: 'number', description: 'How important', enum: [1, 2] },
    pinned: { type: 'boolean', description: 'On top' },
  },
}

describe('declarations of tools', () => {
  test('CLI-27: a tool is taken with little and with much', () => {
    assert.deepEqual(validateToolDeclarations([note, { id: 'stop', description: 'Stops' }]), [])
  })

  const parameters = (over: object) => ({
    ...note,
    parameters: { text: { ...note.parameters?.text, ...over } },
  })
  const wrong: [declaration: unknown, problem: RegExp][] = [
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
    [parameters({ enum: [1] }), /^tools\[0\]\.parameters\.text\.enum must hold a string in each place$/],
    [
      { ...note, parameters: { 'a b': note.parameters?.text } },
      /^tools\[0\]\.parameters\.a b is not a known field$/,
    ],
  ]
  for (const [declaration, problem] of wrong) {
    const plain: unknown = JSON.parse(JSON.stringify(declaration))
    test(`CLI-27: ${JSON.stringify(plain)} is told in a sentence`, () => {
      const problems = validateToolDeclarations([plain])
      assert.equal(problems.length, 1, problems.join('; '))
      assert.match(problems[0] ?? '', problem)
    })
  }

  test('CLI-27: an id names one tool', () => {
    assert.deepEqual(validateToolDeclarations([note, note]), ['tools[1].id is the id of an earlier tool'])
  })

  test('ATL-2: of older declarations only those that are tools count', () => {
    assert.deepEqual(selectValidTools([note, { id: 'odd' }, 'text', null]), [note])
  })
})

describe('what a tool is told', () => {
  test('ATL-5: parameters of their types, the required ones among them', () => {
    assert.equal(validateToolArguments(note, { text: '' }), undefined)
    assert.equal(
      validateToolArguments(note, { text: 'x', colour: 'red', priority: 2, pinned: false }),
      undefined,
    )
    assert.equal(validateToolArguments({ id: 'stop', description: 'Stops' }, {}), undefined)
  })

  const wrong: [given: Record<string, string | number | boolean>, problem: string][] = [
    [{}, 'toolParameters.text is required'],
    [{ text: 5 }, 'toolParameters.text must be a string'],
    [{ text: 'x', pinned: 'true' }, 'toolParameters.pinned must be a boolean'],
    [{ text: 'x', priority: '1' }, 'toolParameters.priority must be a number'],
    [{ text: 'x', priority: 3 }, 'toolParameters.priority must be one of 1, 2'],
    [{ text: 'x', colour: 'green' }, 'toolParameters.colour must be one of red, blue'],
    [{ text: 'x', size: 1 }, 'toolParameters.size is not a parameter of this tool'],
    [{ text: 'x', constructor: 1 }, 'toolParameters.constructor is not a parameter of this tool'],
  ]
  for (const [given, problem] of wrong) {
    test(`ATL-5: ${JSON.stringify(given)} is refused`, () => {
      assert.equal(validateToolArguments(note, given), problem)
    })
  }
})
