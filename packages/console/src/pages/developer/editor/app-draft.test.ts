import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changedFields, EMPTY_DRAFT, entryOf, findProblems, type ToolDraft, toManifest } from './app-draft.ts'

const DRAFT = {
  ...EMPTY_DRAFT,
  packageName: 'org.example.app',
  name: 'App',
  description: 'An app',
  publicUrl: 'https://app.example.org',
}

const TOOL: ToolDraft = { id: 'add', description: 'Adds', activationPhrases: '', parameters: [] }
const PARAMETER = {
  name: 'count',
  type: 'number',
  description: 'How many',
  required: true,
  values: '',
} as const

test('CON-41: a draft is checked with the rules of the cloud, with the problem at its field', () => {
  assert.deepEqual(findProblems(DRAFT), [])
  const fields = findProblems({ ...DRAFT, name: '', publicUrl: 'nowhere' }).map(({ field }) => field)
  assert.deepEqual(fields.toSorted(), ['name', 'publicUrl'])
})

test('CON-43: only changed fields of the manifest are sent', () => {
  const before = toManifest(DRAFT)
  const microphone = entryOf({ type: 'MICROPHONE' as const, description: '' })
  assert.deepEqual(changedFields(before, toManifest({ ...DRAFT })), {})
  assert.deepEqual(changedFields(before, toManifest({ ...DRAFT, name: 'New', permissions: [microphone] })), {
    name: 'New',
    permissions: [{ type: 'MICROPHONE' }],
  })
})

test('CON-43: the texts of a tool become phrases, parameters and allowed values of their type', () => {
  const tool: ToolDraft = {
    ...TOOL,
    activationPhrases: ' add one \n\n add two',
    parameters: [
      entryOf({ ...PARAMETER, values: '1, 2, three' }),
      entryOf({ ...PARAMETER, name: 'loud', type: 'boolean', required: false, values: 'true' }),
    ],
  }
  assert.deepEqual(toManifest({ ...DRAFT, tools: [entryOf(tool)] }).tools, [
    {
      id: 'add',
      description: 'Adds',
      activationPhrases: ['add one', 'add two'],
      parameters: {
        count: { type: 'number', description: 'How many', required: true, enum: [1, 2, 'three'] },
        loud: { type: 'boolean', description: 'How many', enum: [true] },
      },
    },
  ])
})

test('CON-43: a wake word without a language has none in the manifest', () => {
  const wakeWords = [
    { phrase: 'hey app', language: '' },
    { phrase: 'hallo', language: 'de-DE' },
  ].map(entryOf)
  assert.deepEqual(toManifest({ ...DRAFT, wakeWords }).wakeWords, [
    { phrase: 'hey app' },
    { phrase: 'hallo', language: 'de-DE' },
  ])
  assert.deepEqual(findProblems({ ...DRAFT, wakeWords }), [])
  const [problem] = findProblems({ ...DRAFT, wakeWords: [entryOf({ phrase: 'hey 2' })] })
  assert.equal(problem?.field, 'wakeWords[0].phrase')
})

test('CON-43: two parameters of the same name are a problem, as one would replace the other', () => {
  const parameters = [entryOf(PARAMETER), entryOf(PARAMETER)]
  const [problem, ...others] = findProblems({ ...DRAFT, tools: [entryOf({ ...TOOL, parameters })] })
  assert.equal(others.length, 0)
  assert.match(problem?.message ?? '', /count duplicates the name of an earlier parameter/)
})
