import assert from 'node:assert/strict'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { runScript, tree } from './testing/tree.ts'

/** A project whose installed tools say nothing, but for the one that complains. */
function project(t: TestContext, complains?: string): string {
  const tools = ['biome', 'tsc', 'knip']
  const root = tree(t, {
    'package-lock.json': '{"packages":{}}',
    ...Object.fromEntries(
      tools.map((name) => [
        `node_modules/.bin/${name}`,
        name === complains ? '#!/bin/sh\necho "something is wrong"\nexit 1\n' : '#!/bin/sh\n',
      ]),
    ),
  })
  for (const name of tools) chmodSync(join(root, 'node_modules/.bin', name), 0o755)
  return root
}

const parts = ['format and lint', 'types', 'boundaries', 'dead code', 'rules', 'words', 'lockfile']

describe('checking', () => {
  test('TOOL-20: every part is named with its time; all is well', async (t) => {
    const { code, out } = await runScript('check.ts', project(t))
    assert.equal(code, 0, out)
    assert.deepEqual(
      out
        .trim()
        .split('\n')
        .map((line) => line.replace(/\d+\.\d/, 'N')),
      parts.map((name) => `✔ ${name} (N s)`),
    )
  })

  test('TOOL-20: one part fails, all are run, and the command fails', async (t) => {
    for (const [tool, part] of [
      ['biome', 'format and lint'],
      ['tsc', 'types'],
      ['knip', 'dead code'],
    ] as const) {
      const { code, out } = await runScript('check.ts', project(t, tool))
      assert.equal(code, 1)
      const lines = out.trim().split('\n')
      assert.deepEqual(lines.filter((line) => line.startsWith('✔')).length, parts.length - 1, out)
      const at = lines.findIndex((line) => line.startsWith(`✖ ${part} (`))
      assert.equal(lines[at + 1], '    something is wrong')
    }
  })

  test('TOOL-20: a part can be run alone; one that does not exist is told', async (t) => {
    const alone = await runScript('check.ts', project(t, 'biome'), ['lockfile'])
    assert.equal(alone.code, 0)
    assert.match(alone.out, /^✔ lockfile \(\d+\.\d s\)\n$/)
    const unknown = await runScript('check.ts', project(t), ['lookfile'])
    assert.equal(unknown.code, 2)
    assert.match(unknown.err, /No such part: lookfile/)
  })
})
