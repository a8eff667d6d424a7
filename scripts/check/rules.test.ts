import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { temporaryProject } from '../testing/temporary-project.ts'
import { Project } from './project.ts'
import { checkRules } from './rules.ts'

const page = '# Catalogue\n\n- **CAT-1** It lists apps.\n- **CAT-2** It rejects.\n'
const tests = `import { describe, test } from 'node:test'
describe('the catalogue', () => {
  test('CAT-1 CAT-2: lists and refuses', async (t) => { await t.test('a step of it', () => {}) })
})
`

function check(t: TestContext, files: Record<string, string>): string[] {
  return checkRules(new Project(temporaryProject(t, files)))
}

describe('the rule book', () => {
  test('accepts rules and tests that match', (t) => {
    const problems = check(t, {
      'docs/rules/catalogue.md': page,
      'docs/rules/README.md': '- **XX-1** Form.\n',
      'a.test.ts': tests,
    })
    assert.deepEqual(problems, [])
  })

  test('reads titles in shared suites, templates and helpers', (t) => {
    const problems = check(t, {
      'docs/rules/a.md': '- **AB-1** One.\n- **AB-2** Two.\n- **AB-3** Three.\n- **E2E-4** Four.\n',
      'store-suite.ts': "import { it as check } from 'node:test'\ncheck(`AB-1: on $" + '{name}`, () => {})\n',
      'b.test.ts':
        "import test from 'node:test'\ntest.skip('AB-2: later', () => {})\ntest('E2E-4: ' + name, () => {})\n",
      'c.test.ts': "import { onPostgres } from './help.ts'\nonPostgres('AB-3: there', () => {})\n",
    })
    assert.deepEqual(problems, [])
  })

  test('reports untested rules, unknown ids, duplicate ids and malformed rules', (t) => {
    const problems = check(t, {
      'docs/rules/catalogue.md': `${page}- **CAT-3** Untested.\n- **CAT-1** Again.\n- **cat4** Formless.\n`,
      'a.test.ts': tests.replace('CAT-1 CAT-2', 'CAT-1 CAT-2 CAT-9'),
    })
    assert.deepEqual(problems, [
      'docs/rules/catalogue.md:6  CAT-1 is already defined in docs/rules/catalogue.md:3.',
      'docs/rules/catalogue.md:7  Malformed rule; write `- **CAT-3** One sentence.`',
      'a.test.ts:3  Rule CAT-9 does not exist.',
      'docs/rules/catalogue.md:5  No test covers CAT-3.',
    ])
  })

  test('ignores ids in files without tests', (t) => {
    const problems = check(t, { 'docs/rules/catalogue.md': page, 'a.ts': "log('CAT-1 CAT-2: started', 1)\n" })
    assert.equal(problems.length, 2)
  })

  test('accepts titles without ids and computed ones, but no unknown id', (t) => {
    const titled = (title: string) => `import { test } from 'node:test'\ntest(${title}, () => {})\n`
    const files = { 'docs/rules/catalogue.md': page, 'a.test.ts': tests }
    for (const title of [`'the oldest entry is evicted'`, 'title', '`$' + '{id}: lists`'])
      assert.deepEqual(check(t, { ...files, 'b.test.ts': titled(title) }), [])
    assert.deepEqual(check(t, { ...files, 'b.test.ts': titled(`'CAT-9: the oldest entry'`) }), [
      'b.test.ts:2  Rule CAT-9 does not exist.',
    ])
  })

  test('reports titles with many ids and long titles', (t) => {
    const rules = `${page}- **CAT-3** Third.\n- **CAT-4** Fourth.\n`
    const titled = (title: string) => ({
      'docs/rules/catalogue.md': rules,
      'a.test.ts': `${tests}test('CAT-3 CAT-4: both', () => {})\ntest('${title}', () => {})\n`,
    })
    assert.deepEqual(check(t, titled('CAT-1 CAT-2 CAT-3: three')), [])
    assert.match(
      check(t, titled('CAT-1 CAT-2 CAT-3 CAT-4: four'))[0] ?? '',
      /^a\.test\.ts:6 .* at most 3 rules/,
    )
    assert.deepEqual(check(t, titled(`CAT-1: ${'x'.repeat(103)}`)), [])
    assert.match(check(t, titled(`CAT-1: ${'x'.repeat(104)}`))[0] ?? '', /at most 110 characters \(got 111\)/)
  })

  test('reports malformed ids, suite titles with ids, and only', (t) => {
    const wrong: [string, RegExp][] = [
      [`test('CAT-1 lists apps', () => {})`, /Write the ids/],
      [`test('CAT-1, CAT-2: lists apps', () => {})`, /Write the ids/],
      [`describe('CAT-1: the catalogue', () => {})`, /Move the rule ids/],
      [`test.only('CAT-1: lists apps', () => {})`, /disables all other tests/],
      [`describe.only('lists apps', () => {})`, /disables all other tests/],
    ]
    for (const [line, expected] of wrong) {
      const problems = check(t, { 'docs/rules/catalogue.md': page, 'a.test.ts': `${tests}${line}\n` })
      assert.equal(problems.length, 1, `${line}\n${problems.join('\n')}`)
      assert.match(problems[0] ?? '', expected)
      assert.match(problems[0] ?? '', /^a\.test\.ts:5 {2}/)
    }
  })
})
