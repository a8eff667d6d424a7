import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { runScript } from './testing/run-script.ts'
import { temporaryProject } from './testing/temporary-project.ts'

/** A project with stand-ins for the installed tools. They succeed silently, except the failing one. */
function projectWithTools(t: TestContext, failing?: string): string {
  const tools = ['biome', 'tsc', 'knip']
  const root = temporaryProject(t, {
    'package-lock.json': '{"packages":{}}',
    ...Object.fromEntries(
      tools.map((name) => [
        `node_modules/.bin/${name}`,
        name === failing ? '#!/bin/sh\necho "something is wrong"\nexit 1\n' : '#!/bin/sh\n',
      ]),
    ),
  })
  for (const name of tools) chmodSync(join(root, 'node_modules/.bin', name), 0o755)
  return root
}

const checks = [
  'format and lint',
  'types',
  'console types',
  'boundaries',
  'dead code',
  'rules',
  'references',
  'lockfile',
]

describe('npm run check', () => {
  test('prints every check with its duration and succeeds if all pass', async (t) => {
    const { exitCode, stdout } = await runScript('check.ts', projectWithTools(t))
    assert.equal(exitCode, 0, stdout)
    assert.deepEqual(
      stdout
        .trim()
        .split('\n')
        .map((line) => line.replace(/\d+\.\d/, 'N'))
        .sort(),
      checks.map((name) => `✔ ${name} (N s)`).sort(),
    )
  })

  test('runs all checks and fails if one of them fails', async (t) => {
    for (const [tool, check] of [
      ['biome', 'format and lint'],
      ['tsc', 'types'],
      ['knip', 'dead code'],
    ] as const) {
      const { exitCode, stdout } = await runScript('check.ts', projectWithTools(t, tool))
      assert.equal(exitCode, 1)
      const lines = stdout.trim().split('\n')
      assert.deepEqual(lines.filter((line) => line.startsWith('✔')).length, checks.length - 1, stdout)
      const index = lines.findIndex((line) => line.startsWith(`✖ ${check} (`))
      assert.equal(lines[index + 1], '    something is wrong')
    }
  })

  test('generates the types of the REST interface only if their sources have changed', async (t) => {
    const root = projectWithTools(t)
    for (const folder of ['cloud/src', 'contract/src', 'console/src/api'])
      mkdirSync(join(root, 'packages', folder), { recursive: true })
    writeFileSync(join(root, 'packages/console/start-cloud.ts'), '')
    writeFileSync(
      join(root, 'packages/console/generate-api-types.ts'),
      `import { appendFileSync } from 'node:fs'
       appendFileSync('packages/console/src/api/schema.d.ts', 'x')`,
    )
    const check = async () => {
      const { exitCode, stdout } = await runScript('check.ts', root, ['console types'])
      assert.equal(exitCode, 0, stdout)
      return readFileSync(join(root, 'packages/console/src/api/schema.d.ts'), 'utf8')
    }
    assert.deepEqual([await check(), await check()], ['x', 'x'])
    writeFileSync(join(root, 'packages/cloud/src/a.ts'), '')
    assert.equal(await check(), 'xx')
  })

  test('runs a selected check alone and rejects an unknown one', async (t) => {
    const selected = await runScript('check.ts', projectWithTools(t, 'biome'), ['lockfile'])
    assert.equal(selected.exitCode, 0)
    assert.match(selected.stdout, /^✔ lockfile \(\d+\.\d s\)\n$/)
    const unknown = await runScript('check.ts', projectWithTools(t), ['lookfile'])
    assert.equal(unknown.exitCode, 2)
    assert.match(unknown.stderr, /Unknown check: lookfile/)
  })
})
