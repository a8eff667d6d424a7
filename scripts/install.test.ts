import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { runScript } from './testing/run-script.ts'
import { temporaryProject } from './testing/temporary-project.ts'

const PLATFORM = `${process.platform}-${process.arch}`
const NODE_SCRIPT = `#!/bin/sh\nexec '${process.execPath}' "$@"\n`
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** A project whose only dependency is a local package `node`, which real npm installs without a registry. */
function projectWithNode(t: TestContext): string {
  const root = temporaryProject(t, {
    'package.json': JSON.stringify({
      name: 'project',
      version: '1.0.0',
      dependencies: { node: 'file:vendor/node' },
    }),
    'package-lock.json': JSON.stringify({
      name: 'project',
      version: '1.0.0',
      lockfileVersion: 3,
      requires: true,
      packages: {
        '': { name: 'project', version: '1.0.0', dependencies: { node: 'file:vendor/node' } },
        'node_modules/node': { resolved: 'vendor/node', link: true },
        'vendor/node': { name: 'node', version: '24.0.0', bin: { node: 'node.sh' } },
      },
    }),
    'vendor/node/package.json': JSON.stringify({ name: 'node', version: '24.0.0', bin: { node: 'node.sh' } }),
    'vendor/node/node.sh': NODE_SCRIPT,
    'scripts/node-binaries.json': JSON.stringify({ [PLATFORM]: sha256(NODE_SCRIPT) }),
  })
  chmodSync(join(root, 'vendor/node/node.sh'), 0o755)
  return root
}

/**
 * A project with a package in each group, `library` and `tool`, and a workspace. Real npm unpacks all that a package may
 * contain from archives, without a registry.
 */
function makeProjectWithGroups(t: TestContext): string {
  const root = projectWithNode(t)
  for (const name of ['library', 'tool']) {
    const folder = join(root, 'vendor', name)
    mkdirSync(join(folder, 'test'), { recursive: true })
    mkdirSync(join(folder, 'include/node'), { recursive: true })
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, version: '1.0.0' }))
    for (const file of CONTENTS) writeFileSync(join(folder, file), '')
    execFileSync('npm', ['pack', '--silent', '--pack-destination', '..'], { cwd: folder })
    rmSync(folder, { recursive: true })
  }
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  manifest.workspaces = ['lens']
  manifest.dependencies.library = 'file:vendor/library-1.0.0.tgz'
  manifest.devDependencies = { tool: 'file:vendor/tool-1.0.0.tgz' }
  writeFileSync(join(root, 'package.json'), JSON.stringify(manifest))
  mkdirSync(join(root, 'lens/test'), { recursive: true })
  writeFileSync(join(root, 'lens/package.json'), JSON.stringify({ name: 'lens', version: '1.0.0' }))
  for (const file of ['index.ts', 'a.map', 'test/a.js']) writeFileSync(join(root, 'lens', file), '')
  execFileSync('npm', ['install', '--package-lock-only', '--no-audit'], { cwd: root, stdio: 'ignore' })
  return root
}

/** Files of a package, of which programs read those whose names start with `used`. */
const CONTENTS = [
  'used.js',
  'used.d.ts',
  'used.d.mts',
  'used-map.json',
  'a.js.map',
  'a.ts',
  'a.tsx',
  'a.mts',
  'test/a.js',
  'include/node/node.h',
]

const install = (root: string, env: Record<string, string> = {}) => runScript('install.mjs', root, [], env)
const installAll = (root: string, env: Record<string, string> = {}) =>
  runScript('install.mjs', root, ['--all'], env)
const has = (root: string, ...names: string[]) =>
  names.map((name) => existsSync(join(root, 'node_modules', name, 'package.json')))

/** Runs `source` in the place of npm. */
function fakeNpm(root: string, source: string): Record<string, string> {
  const file = join(root, 'npm-cli.js')
  writeFileSync(file, source)
  return { npm_execpath: file, npm_node_execpath: process.execPath }
}

describe('install.mjs with one group', () => {
  test('installs on a fresh clone with output on stderr only, then does nothing silently', async (t) => {
    const root = projectWithNode(t)
    const first = await install(root)
    assert.deepEqual([first.exitCode, first.stdout], [0, ''], first.stderr)
    assert.match(first.stderr, /^Installing packages/)
    const version = execFileSync(join(root, 'node_modules/.bin/node'), ['--version'], { encoding: 'utf8' })
    assert.equal(version.trim(), process.version)
    assert.deepEqual(await install(root), { exitCode: 0, stdout: '', stderr: '' })
  })

  test('what npm runs before the tests on a fresh clone runs with the Node that was installed', (t) => {
    const root = projectWithNode(t)
    const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
    const project = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const isOld = `node -p "process.title === 'old'"`
    project.scripts = { pretest: scripts.pretest, build: isOld, test: isOld }
    writeFileSync(join(root, 'package.json'), JSON.stringify(project))
    copyFileSync(new URL('install.mjs', import.meta.url), join(root, 'scripts/install.mjs'))
    mkdirSync(join(root, 'bin'))
    writeFileSync(join(root, 'bin/node'), `#!/bin/sh\nexec '${process.execPath}' --title=old "$@"\n`, {
      mode: 0o755,
    })
    // Without the folders of this project that npm has added, in which Node is installed already.
    const path = String(process.env.PATH)
      .split(delimiter)
      .filter((folder) => !folder.includes('node_modules'))
    const env = { ...process.env, PATH: [join(root, 'bin'), ...path].join(delimiter) }
    const { stdout, stderr } = spawnSync('npm', ['test', '--silent'], { cwd: root, env, encoding: 'utf8' })
    assert.deepEqual(stdout.trim().split('\n'), ['false', 'false'], stderr)
  })

  test('installs again when the lockfile has changed', async (t) => {
    const root = projectWithNode(t)
    await install(root)
    const lockfile = join(root, 'package-lock.json')
    writeFileSync(lockfile, readFileSync(lockfile, 'utf8').replaceAll('24.0.0', '24.0.1'))
    rmSync(join(root, 'node_modules/.package-lock.json'))
    const again = await install(root)
    assert.deepEqual([again.exitCode, again.stdout], [0, ''], again.stderr)
    assert.match(again.stderr, /^Reinstalling packages/)
  })

  test('links a workspace that a change has added', async (t) => {
    const root = projectWithNode(t)
    await install(root)
    const manifest = {
      name: 'project',
      version: '1.0.0',
      dependencies: { node: 'file:vendor/node' },
      workspaces: ['lens'],
    }
    writeFileSync(join(root, 'package.json'), JSON.stringify(manifest))
    mkdirSync(join(root, 'lens'))
    writeFileSync(join(root, 'lens/package.json'), JSON.stringify({ name: 'lens', version: '1.0.0' }))
    const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
    lock.packages[''] = manifest
    lock.packages.lens = { version: '1.0.0' }
    lock.packages['node_modules/lens'] = { resolved: 'lens', link: true }
    writeFileSync(join(root, 'package-lock.json'), JSON.stringify(lock))
    const again = await install(root)
    assert.equal(again.exitCode, 0, again.stderr)
    assert.equal(existsSync(join(root, 'node_modules/lens/package.json')), true)
  })

  test('one of three concurrent processes installs, and all succeed', async (t) => {
    const root = projectWithNode(t)
    const all = await Promise.all([install(root), install(root), install(root)])
    assert.deepEqual(
      all.map(({ exitCode }) => exitCode),
      [0, 0, 0],
    )
    const output = all.map(({ stderr }) => stderr).join('')
    assert.equal(output.match(/Installing/g)?.length, 1, output)
    assert.equal(existsSync(join(root, '.install-lock')), false)
  })

  test('takes over the lock of a process that has exited', async (t) => {
    const root = projectWithNode(t)
    const exited = spawnSync(process.execPath, ['--version'])
    writeFileSync(join(root, '.install-lock'), String(exited.pid))
    assert.equal((await install(root)).exitCode, 0)
    assert.equal(existsSync(join(root, '.install-lock')), false)
  })

  test('keeps what `npm install` has installed', async (t) => {
    const root = projectWithNode(t)
    execFileSync('npm', ['install', '--no-audit', '--no-fund'], { cwd: root, stdio: 'ignore' })
    assert.deepEqual(await install(root), { exitCode: 0, stdout: '', stderr: '' })
  })

  test('reports a failed installation, fails the command and installs again next time', async (t) => {
    const root = projectWithNode(t)
    const manifest = join(root, 'package.json')
    const text = readFileSync(manifest, 'utf8')
    writeFileSync(manifest, text.replace('"node":', '"absent":"1.0.0","node":'))
    const env = { npm_config_registry: 'http://127.0.0.1:9', npm_config_fetch_retries: '0' }
    const failed = await install(root, env)
    assert.deepEqual([failed.exitCode, failed.stdout], [1, ''])
    assert.match(failed.stderr, /npm ci failed \(exit code \d+\)/)
    writeFileSync(manifest, text)
    const repaired = await install(root)
    assert.equal(repaired.exitCode, 0, repaired.stderr)
    assert.match(repaired.stderr, /Installing/)
  })

  test('reports that Node 24 was not installed', async (t) => {
    for (const version of ['v20.0.0', 'v24.6.9']) {
      const root = projectWithNode(t)
      const old = `#!/bin/sh\necho ${version}\n`
      writeFileSync(join(root, 'vendor/node/node.sh'), old)
      writeFileSync(join(root, 'scripts/node-binaries.json'), JSON.stringify({ [PLATFORM]: sha256(old) }))
      const failed = await install(root)
      assert.equal(failed.exitCode, 1)
      assert.match(failed.stderr, /Node 24 was not installed/)
      assert.equal((await install(root)).exitCode, 1)
    }
  })

  test('TOOL-7: a Node with another hash, or without one, never runs', async (t) => {
    const root = projectWithNode(t)
    const mark = join(root, 'it-ran')
    writeFileSync(join(root, 'vendor/node/node.sh'), `#!/bin/sh\ntouch '${mark}'\necho v24.7.0\n`)
    for (const run of ['first', 'again']) {
      const failed = await install(root)
      assert.deepEqual([failed.exitCode, failed.stdout], [1, ''], run)
      assert.match(
        failed.stderr,
        /is not the Node that this project was tested with: its SHA-256 is [0-9a-f]{64}/,
      )
    }
    rmSync(join(root, 'scripts/node-binaries.json'))
    assert.equal((await install(root)).exitCode, 1)
    assert.equal(existsSync(mark), false)
    const { status } = spawnSync(join(root, 'node_modules/.bin/node'), ['--version'])
    assert.deepEqual([status, existsSync(mark)], [0, true], 'the mark shows runs')
  })

  test('TOOL-7: a changed hash is checked although the packages are unchanged', async (t) => {
    const root = projectWithNode(t)
    assert.equal((await install(root)).exitCode, 0)
    writeFileSync(join(root, 'scripts/node-binaries.json'), JSON.stringify({ [PLATFORM]: sha256('other') }))
    assert.equal((await install(root)).exitCode, 1)
  })

  test('TOOL-7: packages cannot run install scripts', async (t) => {
    const root = projectWithNode(t)
    const manifest = join(root, 'vendor/node/package.json')
    const scripts = { preinstall: 'touch it-ran', install: 'touch it-ran', postinstall: 'touch it-ran' }
    writeFileSync(manifest, JSON.stringify({ ...JSON.parse(readFileSync(manifest, 'utf8')), scripts }))
    assert.equal((await install(root)).exitCode, 0)
    assert.equal(existsSync(join(root, 'vendor/node/it-ran')), false)
  })

  test('TOOL-7: every package of Node in the lockfile has an integrity and a hash', () => {
    const read = (name: string) => JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'))
    const { packages } = read('package-lock.json')
    const hashes = read('scripts/node-binaries.json')
    const platforms = Object.keys(read('package.json').optionalDependencies).flatMap((name) => {
      const { bin, integrity, os, cpu } = packages[`node_modules/${name}`]
      assert.match(integrity, /^sha512-/, name)
      return bin?.node === undefined ? [] : [`${os}-${cpu}`]
    })
    assert.deepEqual(platforms.toSorted(), Object.keys(hashes).toSorted())
    for (const hash of Object.values(hashes)) assert.match(String(hash), /^[0-9a-f]{64}$/)
    assert.equal(hashes[PLATFORM], createHash('sha256').update(readFileSync(process.execPath)).digest('hex'))
    assert.deepEqual(
      Object.entries<{ hasInstallScript?: boolean }>(packages).filter(([, entry]) => entry.hasInstallScript),
      [],
    )
  })
})

test('install.mjs with two groups', async (suite) => {
  const template = makeProjectWithGroups(suite)
  const projectWithGroups = (t: TestContext) => {
    const root = temporaryProject(t, {})
    cpSync(template, root, { recursive: true })
    return root
  }

  await suite.test('the second group is added to the first, and no command removes either', async (t) => {
    const root = projectWithGroups(t)
    const lockfile = readFileSync(join(root, 'package-lock.json'), 'utf8')
    const first = await install(root)
    assert.deepEqual([first.exitCode, ...has(root, 'library', 'tool')], [0, true, false], first.stderr)
    const mark = join(root, 'node_modules/library/mark')
    writeFileSync(mark, '')
    const second = await installAll(root)
    assert.deepEqual([second.exitCode, ...has(root, 'library', 'tool')], [0, true, true], second.stderr)
    assert.match(second.stderr, /^Installing the packages of tests and checks/)
    assert.equal(existsSync(mark), true, 'the first group was not installed again')
    for (const again of [await install(root), await installAll(root)])
      assert.deepEqual(again, { exitCode: 0, stdout: '', stderr: '' })
    assert.equal(readFileSync(join(root, 'package-lock.json'), 'utf8'), lockfile)
    // A new lockfile: the command that needs one group installs both again.
    writeFileSync(join(root, 'package-lock.json'), `${lockfile}\n`)
    rmSync(join(root, 'node_modules/.package-lock.json'))
    assert.equal((await install(root)).exitCode, 0)
    assert.deepEqual(has(root, 'library', 'tool'), [true, true])
  })

  await suite.test('both groups at once serve a command that needs the first', async (t) => {
    const root = projectWithGroups(t)
    const all = await installAll(root)
    assert.deepEqual([all.exitCode, ...has(root, 'library', 'tool')], [0, true, true], all.stderr)
    assert.deepEqual(await install(root), { exitCode: 0, stdout: '', stderr: '' })
    assert.deepEqual(has(root, 'library', 'tool'), [true, true])
  })

  await suite.test(
    'concurrent commands that need different groups succeed, with both installed',
    async (t) => {
      const root = projectWithGroups(t)
      const results = await Promise.all([install(root), installAll(root), install(root), installAll(root)])
      assert.deepEqual(
        results.map(({ exitCode }) => exitCode),
        [0, 0, 0, 0],
        results.map(({ stderr }) => stderr).join(''),
      )
      assert.deepEqual(has(root, 'library', 'tool'), [true, true])
    },
  )

  await suite.test('an interrupted addition is repaired, whichever command comes next', async (t) => {
    const root = projectWithGroups(t)
    // A package in part, which npm would regard as installed.
    const killed = fakeNpm(
      root,
      `const { mkdirSync, writeFileSync } = require('node:fs')
       mkdirSync('node_modules/tool')
       writeFileSync('node_modules/tool/package.json', '{"name":"tool","version":"1.0.0"}')
       process.kill(process.ppid, 'SIGKILL')`,
    )
    for (const next of [install, installAll]) {
      rmSync(join(root, 'node_modules'), { recursive: true, force: true })
      await install(root)
      await installAll(root, killed)
      assert.deepEqual(has(root, 'tool'), [true])
      const repaired = await next(root)
      assert.deepEqual([repaired.exitCode, ...has(root, 'library')], [0, true], repaired.stderr)
      assert.equal((await installAll(root)).exitCode, 0)
      assert.equal(existsSync(join(root, 'node_modules/tool/used.js')), true)
    }
  })

  await suite.test('a failed addition leaves the first group as it is', async (t) => {
    const root = projectWithGroups(t)
    await install(root)
    const failed = await installAll(root, fakeNpm(root, 'process.exit(7)'))
    assert.deepEqual([failed.exitCode, failed.stdout], [1, ''])
    assert.match(failed.stderr, /npm install failed \(exit code 7\)/)
    assert.deepEqual(await install(root), { exitCode: 0, stdout: '', stderr: '' })
    assert.equal((await installAll(root)).exitCode, 0)
    assert.deepEqual(has(root, 'library', 'tool'), [true, true])
  })

  await suite.test('only locked packages are added', async (t) => {
    const root = projectWithGroups(t)
    await install(root)
    const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    manifest.devDependencies.other = 'file:vendor/library-1.0.0.tgz'
    writeFileSync(join(root, 'package.json'), JSON.stringify(manifest))
    const failed = await installAll(root)
    assert.equal(failed.exitCode, 1)
    assert.match(failed.stderr, /npm ci failed/)
  })

  await suite.test('`npm ci --omit=dev` by hand installs the first group', async (t) => {
    const root = projectWithGroups(t)
    execFileSync('npm', ['ci', '--omit=dev', '--no-audit', '--no-fund'], { cwd: root, stdio: 'ignore' })
    assert.deepEqual(await install(root), { exitCode: 0, stdout: '', stderr: '' })
    assert.match((await installAll(root)).stderr, /^Installing the packages of tests and checks/)
    assert.deepEqual(has(root, 'library', 'tool'), [true, true])
  })

  await suite.test(
    'maps, sources of compiled files, tests and headers are removed from packages only',
    async (t) => {
      const root = projectWithGroups(t)
      await installAll(root)
      const used = ['package.json', ...CONTENTS.filter((file) => file.startsWith('used'))].toSorted()
      for (const name of ['library', 'tool']) {
        const files = readdirSync(join(root, 'node_modules', name), { recursive: true, withFileTypes: true })
        assert.deepEqual(
          files
            .filter((file) => file.isFile())
            .map((file) => file.name)
            .toSorted(),
          used,
        )
      }
      assert.deepEqual(readdirSync(join(root, 'node_modules/lens')).toSorted(), [
        'a.map',
        'index.ts',
        'package.json',
        'test',
      ])
    },
  )
})
