import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { runScript } from './testing/run-script.ts'
import { temporaryProject } from './testing/temporary-project.ts'

describe('build.ts', () => {
  test('builds the console when its sources have changed, and only then', async (t) => {
    const root = temporaryProject(t, {
      'package-lock.json': '{}',
      'packages/contract/src/index.ts': '',
      'packages/phone/src/index.ts': '',
      'packages/console/index.html': '<script type="module" src="/src/main.ts"></script>',
      'packages/console/src/main.ts': "document.title = 'one'",
    })
    symlinkSync(join(process.cwd(), 'node_modules'), join(root, 'node_modules'))
    const build = () => runScript('build.ts', root, [])
    const page = join(root, 'packages/console/dist/index.html')

    const first = await build()
    assert.match(first.stderr, /^Building the console/)
    assert.equal(first.exitCode, 0)
    const before = readFileSync(page, 'utf8')
    // The check generates the types of the API, which the built console does not contain.
    writeFileSync(join(root, 'packages/console/src/schema.d.ts'), 'export {}')
    assert.deepEqual(await build(), { exitCode: 0, stdout: '', stderr: '' })
    // A copied folder has other times.
    utimesSync(join(root, 'packages/console/src/main.ts'), 1, 1)
    assert.deepEqual(await build(), { exitCode: 0, stdout: '', stderr: '' })

    writeFileSync(join(root, 'packages/console/src/main.ts'), "document.title = 'two'")
    assert.match((await build()).stderr, /^Building the console/)
    assert.notEqual(readFileSync(page, 'utf8'), before)

    // A build that fails leaves the console that there is.
    writeFileSync(join(root, 'packages/console/src/main.ts'), 'import "./missing.ts"')
    const failed = await build()
    assert.equal(failed.exitCode, 1)
    assert.match(failed.stderr, /missing\.ts/)
    assert.notEqual(readFileSync(page, 'utf8'), '')

    rmSync(join(root, 'packages/console/dist'), { recursive: true })
    mkdirSync(join(root, 'packages/console/src/deep'))
    writeFileSync(join(root, 'packages/console/src/main.ts'), "document.title = 'two'")
    assert.match((await build()).stderr, /^Building the console/)
  })

  test('a folder that the console cannot be built in is named', async (t) => {
    const folder = join(temporaryProject(t, { 'a#b/package-lock.json': '{}' }), 'a#b')
    for (const path of ['packages/console', 'packages/contract/src', 'packages/phone/src'])
      mkdirSync(join(folder, path), { recursive: true })
    const { exitCode, stderr } = await runScript('build.ts', folder, [])
    assert.equal(exitCode, 1)
    assert.match(
      stderr,
      /^The console could not be built: .*a#b contains #, \? or \*; rename the folder\.\n$/,
    )
  })
})
