import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { runScript, tree } from './testing/tree.ts'

/** A project whose one package is Node: a local one, so that real npm installs it without a registry. */
function project(t: TestContext): string {
  const root = tree(t, {
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
    'vendor/node/node.sh': `#!/bin/sh\nexec '${process.execPath}' "$@"\n`,
  })
  chmodSync(join(root, 'vendor/node/node.sh'), 0o755)
  return root
}

const install = (root: string, env: Record<string, string> = {}) => runScript('install.mjs', root, [], env)

describe('installing', () => {
  test('TOOL-1 TOOL-2: a fresh clone is installed with words on stderr, an installed one in silence', async (t) => {
    const root = project(t)
    const first = await install(root)
    assert.deepEqual([first.code, first.out], [0, ''], first.err)
    assert.match(first.err, /^Installing the packages, once/)
    const version = execFileSync(join(root, 'node_modules/.bin/node'), ['--version'], { encoding: 'utf8' })
    assert.equal(version.trim(), process.version)
    assert.deepEqual(await install(root), { code: 0, out: '', err: '' })
  })

  test('TOOL-1: a lockfile that has changed is installed anew', async (t) => {
    const root = project(t)
    await install(root)
    const lockfile = join(root, 'package-lock.json')
    writeFileSync(lockfile, readFileSync(lockfile, 'utf8').replaceAll('24.0.0', '24.0.1'))
    rmSync(join(root, 'node_modules/.package-lock.json'))
    const again = await install(root)
    assert.deepEqual([again.code, again.out], [0, ''], again.err)
    assert.match(again.err, /^Installing the packages again/)
  })

  test('TOOL-1: a workspace that came with a change is linked', async (t) => {
    const root = project(t)
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
    assert.equal(again.code, 0, again.err)
    assert.equal(existsSync(join(root, 'node_modules/lens/package.json')), true)
  })

  test('TOOL-3: of three started side by side one installs, and all go on', async (t) => {
    const root = project(t)
    const all = await Promise.all([install(root), install(root), install(root)])
    assert.deepEqual(
      all.map(({ code }) => code),
      [0, 0, 0],
    )
    const said = all.map(({ err }) => err).join('')
    assert.equal(said.match(/Installing/g)?.length, 1, said)
    assert.equal(existsSync(join(root, '.install-lock')), false)
  })

  test('TOOL-4: the lock of a process that is gone is taken over', async (t) => {
    const root = project(t)
    const gone = spawnSync(process.execPath, ['--version'])
    writeFileSync(join(root, '.install-lock'), String(gone.pid))
    assert.equal((await install(root)).code, 0)
    assert.equal(existsSync(join(root, '.install-lock')), false)
  })

  test('TOOL-5: what npm has installed by hand is left as it is', async (t) => {
    const root = project(t)
    execFileSync('npm', ['install', '--no-audit', '--no-fund'], { cwd: root, stdio: 'ignore' })
    assert.deepEqual(await install(root), { code: 0, out: '', err: '' })
  })

  test('TOOL-6: a failure is told, fails the command, and is not taken for done the next time', async (t) => {
    const root = project(t)
    const manifest = join(root, 'package.json')
    const text = readFileSync(manifest, 'utf8')
    writeFileSync(manifest, text.replace('"node":', '"absent":"1.0.0","node":'))
    const env = { npm_config_registry: 'http://127.0.0.1:9', npm_config_fetch_retries: '0' }
    const failed = await install(root, env)
    assert.deepEqual([failed.code, failed.out], [1, ''])
    assert.match(failed.err, /npm ci failed \(exit code \d+\)/)
    writeFileSync(manifest, text)
    const repaired = await install(root)
    assert.equal(repaired.code, 0, repaired.err)
    assert.match(repaired.err, /Installing/)
  })

  test('TOOL-6: a Node that did not come with the packages is told', async (t) => {
    const root = project(t)
    writeFileSync(join(root, 'vendor/node/node.sh'), '#!/bin/sh\necho v20.0.0\n')
    const failed = await install(root)
    assert.equal(failed.code, 1)
    assert.match(failed.err, /Node 24 was not installed/)
    assert.equal((await install(root)).code, 1)
  })
})
