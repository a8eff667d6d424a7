import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { describe, type TestContext, test } from 'node:test'
import { temporaryProject } from '../testing/temporary-project.ts'
import { Project } from './project.ts'
import { checkWords } from './words.ts'

// Joined here, so that this file does not contain the forbidden words itself.
const todo = ['TO', 'DO'].join('')
const ignore = ['@ts', 'ignore'].join('-')
const registry = ['registry', 'example', 'org'].join('.')
const home = ['', 'home', 'someone'].join('/')

function check(t: TestContext, files: Record<string, string>): string[] {
  return checkWords(new Project(temporaryProject(t, files)))
}

describe('words', () => {
  test('reports forbidden text with its line', (t) => {
    const wrong: [path: string, text: string, RegExp][] = [
      ['a.ts', 'export const f = (x: any) => x', /`any` disables type checking/],
      ['a.ts', 'export const f = (x: unknown) => x as any[]', /`any` disables type checking/],
      ['a.ts', `// ${todo}: later`, /Tag open work/],
      ['docs/a.md', `${todo} write this`, /Tag open work/],
      ['a.ts', `// ${ignore}\nexport const a = 1`, /Fix the type error/],
      ['.ci/run', `npm ci --registry https://${registry}/`, /Do not name a package registry/],
      ['README.md', `Go to ${home}/project`, /one machine only/],
      ['a.ts', `export const file = '${home}/x'`, /one machine only/],
    ]
    for (const [path, text, expected] of wrong) {
      const problems = check(t, { [path]: `\n${text}\n` })
      assert.equal(problems.length, 1, `${text}\n${problems.join('\n')}`)
      const [problem = ''] = problems
      assert.ok(problem.startsWith(`${path}:2  `), problem)
      assert.match(problem, expected)
    }
  })

  test('accepts similar text that is allowed', (t) => {
    const allowed = [
      `// @${todo} later. Of any kind.`,
      "export const many = 'any'",
      `export const url = 'https://example.org${home}'`,
      "export const route = '/api/home/x'",
      "export const file = './work/x'",
    ]
    assert.deepEqual(check(t, { 'a.ts': allowed.join('\n') }), [])
  })

  test('skips files that git ignores', (t) => {
    const root = temporaryProject(t, {
      '.gitignore': 'mine.md\n',
      'mine.md': `${todo} x`,
      'ours.md': `${todo} x`,
    })
    execFileSync('git', ['init', '--quiet'], { cwd: root })
    const problems = checkWords(new Project(root))
    assert.equal(problems.length, 1, problems.join('\n'))
    assert.match(problems[0] ?? '', /^ours\.md:1/)
  })
})
