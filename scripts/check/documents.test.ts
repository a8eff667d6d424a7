import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { temporaryProject } from '../testing/temporary-project.ts'
import { checkDocuments } from './documents.ts'
import { Project } from './project.ts'

function check(t: TestContext, files: Record<string, string>): string[] {
  return checkDocuments(new Project(temporaryProject(t, files)))
}

// Without slashes around them, so that this file names no path that does not exist.
const source = (path: string) => ['packages', 'cloud', 'src', path].join('/')

const sources = {
  [source('cloud.ts')]: '',
  [source('cloud.test.ts')]: '',
  [source('db/change-feed.ts')]: '',
}

describe('documents', () => {
  test('reports versions that are not installed', (t) => {
    const lock = { packages: { 'node_modules/ws': { version: '8.18.3' } } }
    const page = (text: string) => check(t, { 'package-lock.json': JSON.stringify(lock), 'docs/a.md': text })
    for (const text of ['`ws` 8.18.3', '`ws` 8.18 and', '`ws` (8.18.3, MIT)', '`other` 1.0', '`ws` (1.2 KB)'])
      assert.deepEqual(page(text), [], text)
    for (const version of ['8.18.2', '8.1', '8.18.30'])
      assert.deepEqual(page(`\`ws\` ${version}`), [
        `docs/a.md:1  ws is installed in version 8.18.3, not ${version}.`,
      ])
  })

  test('reports what the tree of the source lacks or invents', (t) => {
    const tree = (...lines: string[]) =>
      check(t, { ...sources, 'docs/architecture.md': `\`\`\`\n${source('')}\n${lines.join('\n')}\n\`\`\`\n` })
    assert.deepEqual(tree('  cloud.ts   starts it', '', '  db/        rows', '             and more'), [])
    assert.deepEqual(tree('  db/   rows, opened in cloud.ts'), [])
    assert.deepEqual(tree('  cloud.ts main.ts   starts it'), [
      `docs/architecture.md:1  ${source('main.ts')} does not exist: remove it from the tree.`,
      `docs/architecture.md:1  ${source('db/')} is missing in the tree.`,
    ])
  })

  test('compares the list of commands with package.json', (t) => {
    const scripts = { prestart: '', start: '', pretest: '', test: '', prepare: '' }
    const page = (...commands: string[]) =>
      check(t, {
        'package.json': JSON.stringify({ scripts }),
        [['docs', 'commands.md'].join('/')]: commands.map((command) => `| \`${command}\` | … |\n`).join(''),
      })
    assert.deepEqual(page('npm start', 'npm test', 'npm run prepare'), [])
    assert.deepEqual(
      page('npm start', 'npm test', 'npm run fly').map((problem) => problem.replace(/^\S+ +/, '')),
      ['npm run prepare is missing.', 'package.json has no script fly.'],
    )
  })
})
