import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { temporaryProject } from '../testing/temporary-project.ts'
import { checkCycles } from './cycles.ts'
import { Project } from './project.ts'

function check(t: TestContext, files: Record<string, string>): string[] {
  return checkCycles(new Project(temporaryProject(t, files)))
}

const a = 'packages/cloud/src/a.ts'
const b = 'packages/cloud/src/b.ts'
const c = 'packages/cloud/src/c.ts'

describe('import cycles', () => {
  test('accepts imports without a cycle', (t) => {
    const problems = check(t, {
      [a]: `import { b } from './b.ts'\nimport { c } from './c.ts'`,
      [b]: `import { c } from './c.ts'\nimport assert from 'node:assert'`,
      [c]: '',
    })
    assert.deepEqual(problems, [])
  })

  test('reports a cycle at its import, in every form of import', (t) => {
    for (const statement of [
      `import { a } from './a.ts'`,
      `import type { A } from './a.ts'`,
      `export * from './a.ts'`,
      `const { a } = await import('./a.ts')`,
      `type A = import('./a.ts').A`,
    ]) {
      const problems = check(t, { [a]: `\nimport { b } from './b.ts'`, [b]: statement })
      assert.deepEqual(problems, [`${a}:2  Import cycle: ${a} → ${b} → ${a}.`], statement)
    }
  })

  test('reports a shortest cycle of each group, with the size of the group', (t) => {
    const problems = check(t, {
      [a]: `import './b.ts'`,
      [b]: `import './c.ts'`,
      [c]: `import './a.ts'\nimport './b.ts'`,
      'packages/glasses/src/self.ts': `import './self.ts'`,
    })
    const self = 'packages/glasses/src/self.ts'
    assert.deepEqual(problems.sort(), [
      `${b}:1  Import cycle (3 files import each other): ${b} → ${c} → ${b}.`,
      `${self}:1  Import cycle: ${self} → ${self}.`,
    ])
  })

  test('follows imports of workspace packages', (t) => {
    const server = 'packages/cloud/src/index.ts'
    const phone = 'packages/glasses/src/phone.ts'
    const problems = check(t, {
      'packages/cloud/package.json': '{"name":"@glasses-cloud/cloud","exports":{".":"./src/index.ts"}}',
      'packages/glasses/package.json':
        '{"name":"@glasses-cloud/glasses","exports":{"./phone":"./src/phone.ts"}}',
      [server]: `import { Phone } from '@glasses-cloud/glasses/phone'`,
      [phone]: `import { createCloud } from '@glasses-cloud/cloud'`,
    })
    assert.deepEqual(problems, [`${server}:1  Import cycle: ${server} → ${phone} → ${server}.`])
  })

  test('ignores files outside packages/*/src', (t) => {
    const problems = check(t, {
      'packages/cloud/test/a.ts': `import './b.ts'`,
      'packages/cloud/test/b.ts': `import './a.ts'`,
    })
    assert.deepEqual(problems, [])
  })
})
