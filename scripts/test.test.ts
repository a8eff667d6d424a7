import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { runScript, tree } from './testing/tree.ts'

const passing = `import test from 'node:test'
test('A-1: passes', () => console.log('chatter'))
`
const failing = `import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
describe('a group', () => {
  test('A-2: fails', () => {
    console.log('a trace of it')
    assert.deepEqual({ lens: 'on' }, { lens: 'off' })
  })
})
`
const skipping = `import test from 'node:test'
test('A-3: skips', { skip: 'no database' }, () => {})
test('A-4: skips later', (t) => t.skip())
`

describe('running the tests', () => {
  test('TOOL-10: one line a file that passes, the totals at the end, exit code 0', async (t) => {
    const root = tree(t, { 'packages/a/a.test.ts': passing, 'apps/b/b.test.ts': passing })
    const { code, out, err } = await runScript('test.ts', root)
    assert.equal(code, 0, err)
    const lines = out.trim().split('\n')
    assert.match(lines[0] ?? '', /^✔ (packages|apps)\/.*\.test\.ts \(1 test, \d+\.\d s\)$/)
    assert.doesNotMatch(out, /chatter/)
    assert.deepEqual(
      lines.slice(3, -1).map((line) => line.trim()),
      ['ℹ tests 2', 'ℹ suites 0', 'ℹ pass 2', 'ℹ fail 0', 'ℹ cancelled 0', 'ℹ skipped 0', 'ℹ todo 0'],
    )
  })

  test('TOOL-11: a failure is told whole, and fails the run', async (t) => {
    const root = tree(t, { 'packages/a/bad.test.ts': failing, 'packages/a/good.test.ts': passing })
    const { code, out } = await runScript('test.ts', root)
    assert.equal(code, 1)
    assert.match(out, /✖ packages\/a\/bad\.test\.ts › a group › A-2: fails/)
    assert.match(out, /\+\s+lens: 'on'\n.*-\s+lens: 'off'/)
    assert.match(out, /bad\.test\.ts:6/)
    assert.match(out, /a trace of it/)
    assert.match(out, /ℹ pass 1\nℹ fail 1/)
  })

  test('TOOL-11: a file that breaks while it loads is told with what it said', async (t) => {
    const root = tree(t, { 'packages/a/broken.test.ts': `${passing}throw new Error('broken on loading')\n` })
    const { code, out } = await runScript('test.ts', root)
    assert.equal(code, 1)
    assert.match(out, /broken on loading/)
  })

  test('TOOL-12: an endless loop and an open handle are killed and named; the others are run', async (t) => {
    const root = tree(t, {
      'packages/a/loop.test.ts': `import test from 'node:test'\ntest('A-1: loops', () => { for (;;); })\n`,
      'packages/a/open.test.ts': `${passing}setInterval(() => {}, 1000)\n`,
      'packages/a/fine.test.ts': passing,
    })
    const { code, out } = await runScript('test.ts', root, ['--timeout', '1', '--grace', '0.5'])
    assert.equal(code, 1)
    assert.match(out, /✔ packages\/a\/fine/)
    assert.match(out, /✖ packages\/a\/loop\.test\.ts\n\s+It did not end in time and was killed/)
    assert.match(out, /✖ packages\/a\/open\.test\.ts\n\s+It did not end in time and was killed/)
    assert.match(out, /ℹ fail 2/)
  })

  test('TOOL-13: a skipped test is listed with its reason, and fails where services are required', async (t) => {
    const root = tree(t, { 'packages/a/skip.test.ts': passing + skipping.split('\n').slice(1).join('\n') })
    const lenient = await runScript('test.ts', root)
    assert.equal(lenient.code, 0)
    assert.match(lenient.out, /﹣ .* › A-3: skips \(no database\)/)
    assert.match(lenient.out, /﹣ .* › A-4: skips later \(no reason given\)/)
    const strict = await runScript('test.ts', root, [], { REQUIRE_SERVICES: '1' })
    assert.equal(strict.code, 1)
    assert.match(strict.err, /a skipped test is a failure/)
  })

  test('TOOL-14: words choose files, a name chooses tests; nothing chosen is a failure', async (t) => {
    const root = tree(t, { 'packages/a/bad.test.ts': failing, 'packages/b/good.test.ts': passing })
    assert.equal((await runScript('test.ts', root, ['packages/b'])).code, 0)
    assert.equal((await runScript('test.ts', root, ['packages/a'])).code, 1)
    assert.equal((await runScript('test.ts', root, ['--name', 'A-1'])).code, 0)
    const none = await runScript('test.ts', root, ['packages/c'])
    assert.equal(none.code, 1)
    assert.match(none.err, /No test file matches: packages\/c/)
    const unnamed = await runScript('test.ts', root, ['--name', 'A-9'])
    assert.equal(unnamed.code, 1)
    assert.match(unnamed.err, /No test ran/)
  })

  test('TOOL-15: a file without a test is a failure', async (t) => {
    const root = tree(t, { 'packages/a/empty.test.ts': 'export {}\n', 'packages/a/good.test.ts': passing })
    const { code, out } = await runScript('test.ts', root)
    assert.equal(code, 1)
    assert.match(out, /✖ packages\/a\/empty\.test\.ts\n\s+It holds no test/)
  })
})
