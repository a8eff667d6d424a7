import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { describe, test } from 'node:test'
import { tree } from '../testing/tree.ts'
import { checkWords } from './words.ts'

// The words are put together here, so that this file does not hold them.
const todo = ['TO', 'DO'].join('')
const ignore = ['@ts', 'ignore'].join('-')
const registry = ['registry', 'example', 'org'].join('.')
const home = ['', 'home', 'somebody'].join('/')

describe('words', () => {
  test('TOOL-31: what has no place is reported with its line', (t) => {
    const wrong: [path: string, text: string, RegExp][] = [
      ['a.ts', 'export const f = (x: any) => x', /`any` switches the checker off/],
      ['a.ts', 'export const f = (x: unknown) => x as any[]', /`any` switches the checker off/],
      ['a.ts', `// ${todo}: later`, /tagged @/],
      ['docs/a.md', `${todo} write this`, /tagged @/],
      ['a.ts', `// ${ignore}\nexport const a = 1`, /A type error is mended/],
      ['.ci/run', `npm ci --registry https://${registry}/`, /registry is named/],
      ['README.md', `Go to ${home}/project`, /somebody’s machine/],
      ['a.ts', `export const file = '${home}/x'`, /somebody’s machine/],
    ]
    for (const [path, text, expected] of wrong) {
      const complaints = checkWords(tree(t, { [path]: `\n${text}\n` }))
      assert.equal(complaints.length, 1, `${text}\n${complaints.join('\n')}`)
      const [said = ''] = complaints
      assert.ok(said.startsWith(`${path}:2  `), said)
      assert.match(said, expected)
    }
  })

  test('TOOL-31: what resembles it is not', (t) => {
    const fine = [
      `// @${todo} later. Of any kind.`,
      "export const many = 'any'",
      `export const url = 'https://example.org${home}'`,
      "export const route = '/api/home/x'",
      "export const file = './work/x'",
    ]
    assert.deepEqual(checkWords(tree(t, { 'a.ts': fine.join('\n') })), [])
  })

  test('TOOL-31: in a repository, files that git ignores are left alone', (t) => {
    const root = tree(t, { '.gitignore': 'mine.md\n', 'mine.md': `${todo} x`, 'ours.md': `${todo} x` })
    execFileSync('git', ['init', '--quiet'], { cwd: root })
    const complaints = checkWords(root)
    assert.equal(complaints.length, 1, complaints.join('\n'))
    assert.match(complaints[0] ?? '', /^ours\.md:1/)
  })
})
