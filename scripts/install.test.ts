import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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

const install = (root: string, env: Record<string, string> = {}) => runScript('install.mjs', root, [], env)

describe('install.mjs', () => {
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
