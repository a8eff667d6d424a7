import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { temporaryProject } from '../testing/temporary-project.ts'

const PROJECT = join(import.meta.dirname, '../..')

/** The places where Biome, with the configuration of this project, finds import cycles in these files. */
function cycles(t: TestContext, files: Record<string, string>): string[] {
  const root = temporaryProject(t, {
    ...files,
    'biome.json': readFileSync(join(PROJECT, 'biome.json'), 'utf8'),
    '.gitignore': 'node_modules\n',
  })
  const biome = join(PROJECT, 'node_modules/.bin/biome')
  const { stderr } = spawnSync(biome, ['lint', '--colors=off', '.'], { cwd: root, encoding: 'utf8' })
  assert.match(stderr, /^Checked \d+ files/m)
  return [...stderr.matchAll(/^(\S+):(\d+):\d+ lint\/suspicious\/noImportCycles/gm)]
    .map(([, path, line]) => `${path}:${line}`)
    .sort()
}

const a = 'packages/cloud/src/a.ts'
const b = 'packages/cloud/src/b.ts'

describe('lint', () => {
  test('reports an import cycle in each form of import, types included', (t) => {
    for (const statement of [
      `import { a } from './a.ts'`,
      `import type { A } from './a.ts'`,
      `export * from './a.ts'`,
      `export const load = () => import('./a.ts')`,
    ])
      assert.deepEqual(
        cycles(t, { [a]: `\nimport './b.ts'\n`, [b]: `${statement}\n` }),
        [`${a}:2`, `${b}:1`],
        statement,
      )
  })

  test('accepts imports without a cycle, and cycles of tests', (t) => {
    assert.deepEqual(cycles(t, { [a]: `import './b.ts'\n`, [b]: `import './c.ts'\n` }), [])
    const files = {
      'packages/cloud/test/a.ts': `import './b.ts'\n`,
      'packages/cloud/test/b.ts': `import './a.ts'\n`,
    }
    assert.deepEqual(cycles(t, files), [])
  })
})
