import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { selectReaching } from './test/changed.ts'
import { runScript } from './testing/run-script.ts'
import { temporaryProject } from './testing/temporary-project.ts'

const passing = `import test from 'node:test'
test('A-1: passes', () => console.log('output of a passing test'))
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

describe('npm test', () => {
  test('prints one line per passing file and the totals, and exits with 0', async (t) => {
    const root = temporaryProject(t, { 'packages/a/a.test.ts': passing, 'apps/b/b.test.ts': passing })
    const { exitCode, stdout, stderr } = await runScript('test.ts', root)
    assert.equal(exitCode, 0, stderr)
    const [first = '', second = '', third = '', ...others] = stdout.trim().split('\n')
    assert.match(first, /^2 test files in the order of --seed \d+$/)
    for (const line of [second, third])
      assert.match(line, /^✔ (packages|apps)\/.*\.test\.ts \(1 test, \d+\.\d s\)$/)
    assert.doesNotMatch(stdout, /output of a passing test/)
    assert.match(others.join('\n'), /^\n2 passed, 0 failed, 0 skipped in \d+\.\d s$/)
  })

  test('files share a process, in an order that a seed repeats, unless they are isolated', async (t) => {
    const recording = (name: string) => `import { appendFileSync } from 'node:fs'
import test from 'node:test'
test('A-1: records its process', () => appendFileSync('runs', '${name} ' + process.pid + '\\n'))
`
    const names = ['a.test.ts', 'b.test.ts', 'c.test.ts', 'd.test.ts', 'e.alone.test.ts', 'f.alone.test.ts']
    const runs = async (...args: string[]) => {
      const files = names.map((name) => [`packages/${name}`, recording(name)])
      const root = temporaryProject(t, Object.fromEntries(files))
      const { exitCode, stdout } = await runScript('test.ts', root, ['--concurrency', '1', ...args])
      assert.equal(exitCode, 0, stdout)
      const lines = readFileSync(join(root, 'runs'), 'utf8').trim().split('\n')
      return lines.map((line) => line.split(' ') as [name: string, pid: string])
    }
    const one = await runs('--seed', '1')
    const order = (each: typeof one) => each.map(([name]) => name)
    assert.deepEqual(order(await runs('--seed', '1')), order(one))
    assert.notDeepEqual(order(await runs('--seed', '2')), order(one))
    const pids = (each: typeof one, isAlone: boolean) =>
      new Set(each.filter(([name]) => name.includes('alone') === isAlone).map(([, pid]) => pid)).size
    assert.deepEqual([pids(one, false), pids(one, true)], [1, 2])
    assert.equal(pids(await runs('--isolate'), false), 4)
  })

  test('lists the slowest files and tests with --slowest', async (t) => {
    const root = temporaryProject(t, { 'packages/a/a.test.ts': passing, 'apps/b/b.test.ts': passing })
    const { exitCode, stdout, stderr } = await runScript('test.ts', root, ['--slowest', '1'])
    assert.equal(exitCode, 0, stderr)
    assert.match(stdout, /\nSlowest files:\n {2}\d+\.\d s {2}(packages|apps)\/\S+\.test\.ts\n\n/)
    assert.match(stdout, /\nSlowest tests:\n {2}\d+\.\d s {2}(packages|apps)\/\S+ › A-1: passes\n\n/)
  })

  test('prints the error, position and output of a failed test, and fails', async (t) => {
    const root = temporaryProject(t, {
      'packages/a/bad.test.ts': failing,
      'packages/a/good.test.ts': passing,
    })
    const { exitCode, stdout } = await runScript('test.ts', root)
    assert.equal(exitCode, 1)
    assert.match(stdout, /✖ packages\/a\/bad\.test\.ts › a group › A-2: fails/)
    assert.match(stdout, /\+\s+lens: 'on'\n.*-\s+lens: 'off'/)
    assert.match(stdout, /bad\.test\.ts:6/)
    assert.match(stdout, /a trace of it/)
    assert.match(stdout, /\n1 passed, 1 failed, 0 skipped in /)
  })

  test('reports a file that throws while it loads, with its output', async (t) => {
    const root = temporaryProject(t, {
      'packages/a/broken.test.ts': `${passing}throw new Error('broken on loading')\n`,
    })
    const { exitCode, stdout } = await runScript('test.ts', root)
    assert.equal(exitCode, 1)
    assert.match(stdout, /broken on loading/)
  })

  test('kills and names files with an endless loop or an open handle, and runs the others', async (t) => {
    const root = temporaryProject(t, {
      'packages/a/loop.test.ts': `import test from 'node:test'\ntest('A-1: loops', () => { for (;;); })\n`,
      'packages/a/open.test.ts': `${passing}setInterval(() => {}, 1000)\n`,
      'packages/a/good.test.ts': passing,
    })
    const args = ['--timeout', '1', '--file-timeout', '5']
    const { exitCode, stdout } = await runScript('test.ts', root, args, { TEST_CLOSE_TIMEOUT_MS: '500' })
    assert.equal(exitCode, 1)
    assert.match(stdout, /✔ packages\/a\/good/)
    assert.match(stdout, /✖ packages\/a\/loop\.test\.ts\n\s+It did not finish in time and was killed/)
    assert.match(
      stdout,
      /✖ packages\/a\/open\.test\.ts\n\s+0\.5 s after its last test .* open: Timeout \(1\)/,
    )
    assert.match(stdout, /\n2 passed, 2 failed, /)
  })

  test('an error that no test catches fails the file, and a process that ends is named', async (t) => {
    const root = temporaryProject(t, {
      'packages/a/late.test.ts': `${passing}setTimeout(() => { throw new Error('thrown later') }, 20)\n`,
      'packages/a/exit.test.ts': `${passing}setTimeout(() => process.exit(3), 20)\n`,
      'packages/a/good.test.ts': passing,
    })
    const { exitCode, stdout } = await runScript('test.ts', root)
    assert.equal(exitCode, 1)
    assert.match(stdout, /✖ packages\/a\/late\.test\.ts\n\s+Error: thrown later/)
    assert.match(stdout, /✖ packages\/a\/exit\.test\.ts\n\s+Its process exited with code 3/)
    assert.match(stdout, /✔ packages\/a\/good/)
  })

  test('temporary files that tests leave behind are deleted', {
    skip: !existsSync('/dev/shm') && 'temporary files are kept in memory on Linux only',
  }, async (t) => {
    const root = temporaryProject(t, {
      'packages/a/a.test.ts': `import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import test from 'node:test'
test('A-1: leaves a folder', () => writeFileSync('found', mkdtempSync(tmpdir() + '/left-')))
`,
    })
    const { exitCode, stdout } = await runScript('test.ts', root, [], { TMPDIR: '' })
    assert.equal(exitCode, 0, stdout)
    const left = readFileSync(join(root, 'found'), 'utf8')
    assert.match(left, /left-/)
    assert.equal(existsSync(left), false)
  })

  test('lists skipped tests with their reasons, and fails if services are required', async (t) => {
    const root = temporaryProject(t, {
      'packages/a/skip.test.ts': passing + skipping.split('\n').slice(1).join('\n'),
    })
    const lenient = await runScript('test.ts', root)
    assert.equal(lenient.exitCode, 0)
    assert.match(lenient.stdout, /﹣ .* › A-3: skips \(no database\)/)
    assert.match(lenient.stdout, /﹣ .* › A-4: skips later \(no reason given\)/)
    const strict = await runScript('test.ts', root, [], { REQUIRE_SERVICES: '1' })
    assert.equal(strict.exitCode, 1)
    assert.match(strict.stderr, /a skipped test is a failure/)
  })

  test('lists a reason of many tests once, unless services are required', async (t) => {
    const skipped = (title: string) => `import { describe, test } from 'node:test'
describe('${title}', { skip: 'no database' }, () => test('A-3: skips', () => {}))
describe('${title} again', { skip: 'no database' }, () => test('A-3: skips', () => {}))
`
    const root = temporaryProject(t, {
      'packages/a/one.test.ts': skipped('one'),
      'packages/a/two.test.ts': skipped('two'),
    })
    const lenient = await runScript('test.ts', root)
    assert.equal(lenient.exitCode, 0, lenient.stdout)
    assert.match(lenient.stdout, /✔ packages\/a\/two\.test\.ts \(skipped, /)
    assert.match(lenient.stdout, /\nSkipped:\n {2}﹣ tests in 2 files: no database\n\n/)
    const strict = await runScript('test.ts', root, [], { REQUIRE_SERVICES: '1' })
    assert.equal(strict.exitCode, 1)
    assert.equal(strict.stdout.match(/﹣ packages\/a\/(one|two)\.test\.ts › /g)?.length, 4)
  })

  test('accepts a file whose only suite is skipped', async (t) => {
    const root = temporaryProject(t, {
      'packages/a/skipped.test.ts': `import { describe, test } from 'node:test'
describe('a service', { skip: 'not installed' }, () => test('A-3: skips', () => {}))
`,
    })
    const { exitCode, stdout } = await runScript('test.ts', root)
    assert.equal(exitCode, 0, stdout)
    assert.match(stdout, /﹣ packages\/a\/skipped\.test\.ts › a service \(not installed\)/)
  })

  test('selects files by path and tests by name, and fails if nothing is selected', async (t) => {
    const root = temporaryProject(t, {
      'packages/a/bad.test.ts': failing,
      'packages/b/good.test.ts': passing,
    })
    assert.equal((await runScript('test.ts', root, ['packages/b'])).exitCode, 0)
    assert.equal((await runScript('test.ts', root, ['packages/a'])).exitCode, 1)
    assert.equal((await runScript('test.ts', root, ['--name', 'A-1'])).exitCode, 0)
    const none = await runScript('test.ts', root, ['packages/c'])
    assert.equal(none.exitCode, 1)
    assert.match(none.stderr, /No test file matches: packages\/c/)
    const unnamed = await runScript('test.ts', root, ['--name', 'A-9'])
    assert.equal(unnamed.exitCode, 1)
    assert.match(unnamed.stderr, /No test ran/)
  })

  test('leaves out long tests, unless they are asked for or selected', async (t) => {
    const root = temporaryProject(t, {
      'packages/a/short.test.ts': passing,
      'packages/a/hours.long.test.ts': passing,
    })
    const filesOf = async (...args: string[]) => {
      const { stdout } = await runScript('test.ts', root, args)
      return [...stdout.matchAll(/^✔ packages\/a\/(\w+)/gm)].map(([, file]) => file).sort()
    }
    assert.deepEqual(await filesOf(), ['short'])
    assert.deepEqual(await filesOf('--long'), ['hours'])
    assert.deepEqual(await filesOf('packages/a'), ['hours', 'short'])
    assert.deepEqual(await filesOf('--long', 'packages/a'), ['hours'])
    assert.deepEqual(await filesOf('--name', 'A-1'), ['hours', 'short'])
  })

  test('writes the files with skipped tests to a file', async (t) => {
    const root = temporaryProject(t, {
      'packages/a/skip.test.ts': skipping,
      'packages/a/good.test.ts': passing,
    })
    const { exitCode, stdout } = await runScript('test.ts', root, ['--list-skipped', 'skipped'])
    assert.equal(exitCode, 0, stdout)
    assert.equal(readFileSync(join(root, 'skipped'), 'utf8'), 'packages/a/skip.test.ts\n')
  })

  test('fails if a file contains no test', async (t) => {
    const root = temporaryProject(t, {
      'packages/a/empty.test.ts': 'export {}\n',
      'packages/a/good.test.ts': passing,
    })
    const { exitCode, stdout } = await runScript('test.ts', root)
    assert.equal(exitCode, 1)
    assert.match(stdout, /✖ packages\/a\/empty\.test\.ts\n\s+It contains no test/)
  })

  test('runs generated inputs of searches in part, and whole in a long run', async (t) => {
    const root = temporaryProject(t, {
      'packages/a/inputs.search.test.ts': `import { appendFileSync } from 'node:fs'
import test from 'node:test'
test('A-1: tries inputs', () => appendFileSync('shares', process.env.SEARCH_SHARE + ' '))
`,
    })
    for (const args of [[], ['--long']]) assert.equal((await runScript('test.ts', root, args)).exitCode, 0)
    assert.equal(readFileSync(join(root, 'shares'), 'utf8'), '0.2 1 ')
  })

  test('--changed selects the files that import what has changed, and tools run if a tool has', async (t) => {
    const root = temporaryProject(t, {
      'packages/a/one.test.ts': `import './one.ts'\n${passing}`,
      'packages/a/one.ts': `export * from './inner.ts'\n`,
      'packages/a/inner.ts': 'export const inner = 1\n',
      'packages/a/two.test.ts': `${passing}// reads two.json\n`,
      'packages/a/two.json': '{}\n',
      'scripts/tool.test.ts': passing,
    })
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], { cwd: root })
    git('init', '-q')
    git('add', '.')
    git('commit', '-qm', 'first')
    const selected = async (...args: string[]) => {
      const { stdout } = await runScript('test.ts', root, args)
      return [...stdout.matchAll(/^✔ (\S+)\.test\.ts/gm)].map(([, file]) => file).sort()
    }
    assert.deepEqual(await selected(), ['packages/a/one', 'packages/a/two'])
    assert.deepEqual(await selected('--tools'), ['packages/a/one', 'packages/a/two', 'scripts/tool'])
    assert.deepEqual(await selected('--changed'), [])
    appendFileSync(join(root, 'packages/a/inner.ts'), '// changed\n')
    assert.deepEqual(await selected('--changed'), ['packages/a/one'])
    appendFileSync(join(root, 'packages/a/two.json'), '\n')
    assert.deepEqual(await selected('--changed'), ['packages/a/one', 'packages/a/two'])
    git('commit', '-qam', 'second')
    assert.deepEqual(await selected('--changed'), [])
    assert.deepEqual(await selected('--changed=HEAD~1'), ['packages/a/one', 'packages/a/two'])
    appendFileSync(join(root, 'scripts/tool.ts'), 'export {}\n')
    assert.deepEqual(await selected(), ['packages/a/one', 'packages/a/two', 'scripts/tool'])
  })

  test('--changed keeps to the nearest files of each change, and tells how many others reach it', (t) => {
    const root = temporaryProject(t, {
      'packages/a/inner.ts': 'export const inner = 1\n',
      'packages/a/outer.ts': `import './inner.ts'\nimport type { Other } from './other.ts'\n`,
      'packages/a/other.ts': 'export type Other = string\n',
      'packages/a/far.test.ts': `import './outer.ts'\n`,
      'packages/a/near.test.ts': `import './inner.ts'\n`,
      'packages/a/of-other.test.ts': `import './other.ts'\n`,
    })
    const tests = ['far', 'near', 'of-other'].map((name) => `packages/a/${name}.test.ts`)
    const select = (...changed: string[]) =>
      selectReaching(
        root,
        tests,
        changed.map((name) => `packages/a/${name}.ts`),
        1,
      )
    assert.deepEqual(select('inner'), { files: ['packages/a/near.test.ts'], omitted: 1 })
    assert.deepEqual(select('outer', 'other'), {
      files: ['packages/a/far.test.ts', 'packages/a/of-other.test.ts'],
      omitted: 0,
    })
  })
})
