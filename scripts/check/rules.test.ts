import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { tree } from '../testing/tree.ts'
import { checkRules } from './rules.ts'

const page = '# Catalogue\n\n- **CAT-1** It lists apps.\n- **CAT-2** It says no.\n'
const tests = `import { describe, test } from 'node:test'
describe('the catalogue', () => {
  test('CAT-1 CAT-2: lists and refuses', async (t) => { await t.test('a step of it', () => {}) })
})
`

describe('the rule book', () => {
  test('TOOL-29 TOOL-30: rules and tests that match are accepted', (t) => {
    const root = tree(t, {
      'docs/rules/catalogue.md': page,
      'docs/rules/README.md': '- **XX-1** Form.\n',
      'a.test.ts': tests,
    })
    assert.deepEqual(checkRules(root), [])
  })

  test('TOOL-29: titles in shared suites, templates and helpers count', (t) => {
    const root = tree(t, {
      'docs/rules/a.md': '- **AB-1** One.\n- **AB-2** Two.\n- **AB-3** Three.\n- **E2E-4** Four.\n',
      'store-suite.ts': "import { it as check } from 'node:test'\ncheck(`AB-1: on $" + '{name}`, () => {})\n',
      'b.test.ts':
        "import test from 'node:test'\ntest.skip('AB-2: later', () => {})\ntest('E2E-4: ' + name, () => {})\n",
      'c.test.ts': "import { onPostgres } from './help.ts'\nonPostgres('AB-3: there', () => {})\n",
    })
    assert.deepEqual(checkRules(root), [])
  })

  test('TOOL-29: a rule nobody tests, a test of no rule, an id twice, a rule out of form', (t) => {
    const root = tree(t, {
      'docs/rules/catalogue.md': `${page}- **CAT-3** Untested.\n- **CAT-1** Again.\n- **cat4** Formless.\n`,
      'a.test.ts': tests.replace('CAT-1 CAT-2', 'CAT-1 CAT-2 CAT-9'),
    })
    assert.deepEqual(checkRules(root), [
      'docs/rules/catalogue.md:6  CAT-1 is taken: docs/rules/catalogue.md:3.',
      'docs/rules/catalogue.md:7  Not the form of a rule: `- **CAT-3** One sentence.`',
      'a.test.ts:3  There is no rule CAT-9.',
      'docs/rules/catalogue.md:5  No test proves CAT-3.',
    ])
  })

  test('TOOL-29: ids in a file that tests nothing prove nothing', (t) => {
    const root = tree(t, { 'docs/rules/catalogue.md': page, 'a.ts': "log('CAT-1 CAT-2: started', 1)\n" })
    assert.equal(checkRules(root).length, 2)
  })

  test('TOOL-30: titles without ids, computed titles, groups with ids, and only', (t) => {
    const wrong: [string, RegExp][] = [
      [`test('lists apps', () => {})`, /A title starts with the ids/],
      [`test('CAT-1 lists apps', () => {})`, /A title starts with the ids/],
      [`test('CAT-1, CAT-2: lists apps', () => {})`, /A title starts with the ids/],
      [`test(title, () => {})`, /The title is computed/],
      ['test(`$' + '{id}: lists`, () => {})', /A title starts with the ids/],
      [`describe('CAT-1: the catalogue', () => {})`, /A describe title carries no ids/],
      [`test.only('CAT-1: lists apps', () => {})`, /keeps every other test/],
      [`describe.only('lists apps', () => {})`, /keeps every other test/],
    ]
    for (const [line, expected] of wrong) {
      const root = tree(t, { 'docs/rules/catalogue.md': page, 'a.test.ts': `${tests}${line}\n` })
      const complaints = checkRules(root)
      assert.equal(complaints.length, 1, `${line}\n${complaints.join('\n')}`)
      assert.match(complaints[0] ?? '', expected)
      assert.match(complaints[0] ?? '', /^a\.test\.ts:5 {2}/)
    }
  })
})
