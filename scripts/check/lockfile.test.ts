import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { temporaryProject } from '../testing/temporary-project.ts'
import { checkLockfile } from './lockfile.ts'
import { Project } from './project.ts'

const check = (t: TestContext, packages: Record<string, object>) =>
  checkLockfile(
    new Project(
      temporaryProject(t, { 'package-lock.json': JSON.stringify({ lockfileVersion: 3, packages }) }),
    ),
  )

const tool = { version: '1.0.0', optionalDependencies: { 'tool-linux': '1.0.0', 'tool-darwin': '1.0.0' } }
const binary = { version: '1.0.0', optional: true }

describe('the lockfile', () => {
  test('accepts optional packages that are locked next to their parent or above it', (t) => {
    assert.deepEqual(
      check(t, {
        'node_modules/tool': tool,
        'node_modules/tool-linux': binary,
        'node_modules/tool-darwin': binary,
      }),
      [],
    )
    const nested = {
      'node_modules/a/node_modules/tool': tool,
      'node_modules/a/node_modules/tool-linux': binary,
    }
    assert.deepEqual(check(t, { ...nested, 'node_modules/tool-darwin': binary }), [])
    const [missing, ...more] = check(t, nested)
    assert.match(missing ?? '', /a\/node_modules\/tool depends on tool-darwin, which has no entry/)
    assert.deepEqual(more, [])
  })

  test('reports a package that is bound to one registry, but not a workspace path', (t) => {
    const [bound, ...more] = check(t, {
      'node_modules/a': { version: '1.0.0', resolved: 'https://packages.example/a.tgz' },
      'node_modules/b': { resolved: 'packages/b', link: true },
    })
    assert.match(bound ?? '', /node_modules\/a is bound to one registry/)
    assert.deepEqual(more, [])
  })
})
