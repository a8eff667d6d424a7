import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { temporaryProject } from '../testing/temporary-project.ts'
import { Project } from './project.ts'
import { checkReferences } from './references.ts'

const documents = {
  'docs/decisions.md':
    '| <a id="i8"></a>I8 | … |\n| <a id="w1"></a>W1 | … |\n| <a id="w2"></a>W2 | … |\n| <a id="w9"></a>W9 | … |\n',
  'docs/protocol/app-socket.md':
    '# The app socket\n\n## 3. REST\n\n### 3.1 Calls\n\n#### 3.1.2 More\n\n# Appendix B — Recipe\n\n## B.1 First\n',
  'docs/rules/catalogue.md': '- **CAT-1** Lists apps.\n- **CAT-2** Rejects others.\n',
  'docs/guide.md': '# The guide\n\n## Set-up & `run`\n\n## Twice\n\n## Twice\n',
}

function check(t: TestContext, files: Record<string, string>): string[] {
  return checkReferences(new Project(temporaryProject(t, { ...documents, ...files })))
}

/** Checks each text as a comment and as Markdown; both must have the expected problem, or none. */
function assertReferences(t: TestContext, cases: readonly [text: string, problem?: RegExp][]): void {
  for (const [text, expected] of cases) {
    for (const [path, source] of [
      ['a.ts', `\n/** ${text} */\nexport const a = 1\n`],
      ['docs/a.md', `\n${text}\n`],
    ] as const) {
      const problems = check(t, { [path]: source })
      if (expected === undefined) assert.deepEqual(problems, [], text)
      else {
        assert.equal(problems.length, 1, `${text}\n${problems.join('\n')}`)
        const [problem = ''] = problems
        assert.ok(problem.startsWith(`${path}:2  `), problem)
        assert.match(problem, expected)
      }
    }
  }
}

// Joined here, so that this file does not contain unresolvable references itself.
const decision = (ids: string) => ['decision', ids].join(' ')
const decisions = (ids: string) => ['decisions', ids].join(' ')
const section = (number: string, sheet = 'app-socket') => `${sheet}.md ${'\u00a7'}${number}`
const rule = (number: number) => `CAT-${number}`
const path = (name: string) => ['docs', name].join('/')

describe('references', () => {
  test('resolves decisions', (t) => {
    assertReferences(t, [
      [`Digits only (${decision('I8')}).`],
      [`As ${decisions('W1 and W2')} and ${decisions('I8, W1 and W9')} say.`],
      [`From ${decisions('W1 to W9')}.`],
      [decision('I9'), /docs\/decisions\.md has no decision \w9/],
      [decisions('W1 and W3'), /no decision W3/],
      [decisions('W1 to W8'), /no decision W8/],
    ])
  })

  test('resolves sections of the protocol sheets', (t) => {
    assertReferences(t, [
      [`See ${section('3')}, ${section('3.1')}, ${section('3.1.2')} and ${section('B.1')}.`],
      [`See ${section('3.1')} and \u00a73.1.2.`],
      [section('3.2'), /docs\/protocol\/app-socket\.md has no section 3\.2/],
      [`${section('3.1')} and \u00a74`, /no section 4/],
      [section('1', 'glasses-socket'), /glasses-socket\.md has no section 1/],
      [section('1', 'guide'), /guide\.md is not a protocol sheet/],
      ['See \u00a73.1.', /Name the page of this section/],
    ])
  })

  test('resolves rule ids; other ids with numbers are names', (t) => {
    assertReferences(t, [
      [`${rule(1)} and ${rule(2)}; SHA-256 and UTF-8.`],
      [rule(3), /docs\/rules has no rule CAT-3/],
    ])
  })

  test('resolves paths of the repository', (t) => {
    assertReferences(t, [
      [`See \`${path('guide.md')}\` and https://example.org/${path('other.md')}.`],
      [`See \`packages/cloud/src/features/<name>/index.ts\`.`],
      [path('other.md'), /docs\/other\.md does not exist/],
    ])
  })

  test('reports citations that no check can resolve', (t) => {
    assertReferences(t, [
      [`(${['app socket', 'protocol'].join(' ')}, 3.1)`, /Cite the section/],
      [`the ${['glasses', 'sheet'].join(' ')}`, /Cite the section/],
      [['interface', 'specification'].join(' '), /Cite the rule or the decision/],
      [['reference', 'behaviour,'].join(' '), /Cite the section/],
      [`../${['shared', 'spec'].join('/')}`, /outside the repository/],
      [`Digits only (${'I8'}).`, /Write `decision I8`/],
      [`Digits only (${'I8'}, W1).`, /Write `decision I8`/],
    ])
  })

  test('resolves Markdown links and their anchors', (t) => {
    const broken: [link: string, RegExp][] = [
      ['[x](missing.md)', /Broken link: docs\/missing\.md does not exist/],
      ['[x](guide.md#thrice)', /Broken link: docs\/guide\.md has no anchor #thrice/],
      ['[x](#thrice)', /Broken link: docs\/a\.md has no anchor #thrice/],
      ['![x](../image.png)', /Broken link: image\.png does not exist/],
    ]
    for (const [link, expected] of broken) {
      const problems = check(t, { 'docs/a.md': `\n${link}\n` })
      assert.equal(problems.length, 1, `${link}\n${problems.join('\n')}`)
      assert.match(problems[0] ?? '', /^docs\/a\.md:2 {2}/)
      assert.match(problems[0] ?? '', expected)
    }
    const intact = [
      '# Here',
      '[x](guide.md) [x](guide.md#set-up--run) [x](guide.md#twice-1) [x](#here) [x](rules)',
      '[x](decisions.md#i8) [x](https://example.org/missing.md) [x](mailto:a@example.org)',
      '`[x](missing.md)`',
      '```\n[x](missing.md)\n```',
    ]
    assert.deepEqual(check(t, { 'docs/a.md': intact.join('\n\n') }), [])
  })

  test('reads wrapped references, strings of code, and no rule ids in code', (t) => {
    const wrapped = `/** Digits only (decision\n * ${'I' + '9'}), see ${'app-socket.md'}\n * \u00a74. */\nexport const a = 1\n`
    assert.equal(check(t, { 'a.ts': wrapped }).length, 2)
    assert.equal(check(t, { 'a.ts': `export const a = '${decision('I9')}'\n` }).length, 1)
    assert.deepEqual(check(t, { 'a.ts': `export const a = '${rule(3)} ${path('other.md')}'\n` }), [])
  })
})
