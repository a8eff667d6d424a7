import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync, mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { encode } from '@jridgewell/sourcemap-codec'
import { BUNDLE_FOLDER, findBundle, hashContent, MANIFEST } from './bundle/find.ts'
import { reduceSourceMap } from './bundle/source-map.ts'
import { runScript } from './testing/run-script.ts'
import { temporaryProject } from './testing/temporary-project.ts'

const root = join(import.meta.dirname, '..')

/** A project with one source and a bundle of it. */
function bundledProject(t: TestContext) {
  const text = 'export const answer = 42\n'
  const project = temporaryProject(t, { 'source.ts': text })
  const source = join(project, 'source.ts')
  const { size, mtimeMs } = statSync(source)
  const folder = join(project, BUNDLE_FOLDER)
  mkdirSync(join(folder, 'one'), { recursive: true })
  writeFileSync(join(folder, 'one/main.mjs'), '')
  const manifest = { entry: 'one/main.mjs', inputs: [['source.ts', size, mtimeMs, hashContent(text)]] }
  writeFileSync(join(folder, MANIFEST), JSON.stringify(manifest))
  return { project, source, entry: join(folder, 'one/main.mjs') }
}

describe('the bundle of the cloud', () => {
  test('a bundle is current while its inputs have the same content, whatever their times', (t) => {
    const { project, source, entry } = bundledProject(t)
    assert.equal(findBundle(project), entry)
    utimesSync(source, 1, 1)
    assert.equal(findBundle(project), entry)
    // Of the same size: only the content differs.
    writeFileSync(source, 'export const answer = 43\n')
    assert.equal(findBundle(project), undefined)
  })

  test('a bundle without one of its inputs, its entry or its manifest is not used', (t) => {
    for (const lost of ['source', 'entry', 'manifest'] as const) {
      const { project, source, entry } = bundledProject(t)
      rmSync({ source, entry, manifest: join(project, BUNDLE_FOLDER, MANIFEST) }[lost])
      assert.equal(findBundle(project), undefined, lost)
    }
  })

  test('the bundle is made once; its stack traces name the sources', async () => {
    const made = await runScript('bundle.ts', root)
    assert.deepEqual([made.exitCode, made.stdout], [0, ''], made.stderr)
    const bundle = findBundle(root)
    assert.ok(bundle !== undefined)
    assert.deepEqual(await runScript('bundle.ts', root), { exitCode: 0, stdout: '', stderr: '' })
    assert.equal(findBundle(root), bundle)

    const chunkOf = (name: string) => {
      const [chunk = ''] = globSync(join(dirname(bundle), `${name}-*.mjs`))
      return pathToFileURL(chunk).href
    }
    const script = `
      const exported = async (chunk, name) => {
        const values = Object.values(await import(chunk))
        for (const value of values) if (/^init_/.test(value.name)) value()
        return values.find((value) => value.name === name)
      }
      const mapStackTraces = await exported('${chunkOf('stack-traces')}', 'mapStackTraces')
      mapStackTraces()
      const createCloud = await exported('${chunkOf('cloud')}', 'createCloud')
      await createCloud({}).catch((error) => console.log(error.stack))`
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
    })
    const [, file = '', line = ''] = /at openInfrastructure \((.+):(\d+):\d+\)/.exec(stdout) ?? []
    assert.equal(file, join(root, 'packages/cloud/src/infrastructure.ts'), stdout)
    assert.match(readFileSync(file, 'utf8').split('\n')[Number(line) - 1] ?? '', /config\.log\.level/)

    // Each of these took milliseconds of every start until it was loaded on first use.
    const loaded = staticImports(fileURLToPath(chunkOf('cloud')))
    assert.deepEqual(
      [...loaded].map((path) => basename(path)).filter((name) => /^undici-/.test(name)),
      [],
    )
    for (const path of loaded) assert.doesNotMatch(readFileSync(path, 'utf8'), /age-encryption\.org/, path)
  })
})

test('what the bundle loads on first use, and each of its threads and processes, loads by itself', async () => {
  const made = await runScript('bundle.ts', root)
  assert.equal(made.exitCode, 0, made.stderr)
  const folder = dirname(findBundle(root) ?? '')
  // Other tests run the programs, and the threads that begin with the work they are given (end to end, backup).
  const elsewhere = ['main.mjs', 'program.mjs', 'flite-worker.mjs', 'backup-worker.mjs']
  const entries = globSync('*.mjs', { cwd: folder }).filter(
    (name) => !/-[\w-]{8}\.mjs$/.test(name) && !elsewhere.includes(name),
  )
  assert.ok(entries.includes('password-worker.mjs'), entries.join())
  const later = new Set(entries)
  for (const chunk of globSync(join(folder, '*.mjs')))
    for (const [, name = ''] of readFileSync(chunk, 'utf8').matchAll(/\bimport\("\.\/([^"]+)"\)/g))
      later.add(name)
  assert.ok(later.size > 20, `${later.size} chunks`)
  const failures: string[] = []
  const empty: string[] = []
  for (const name of later) {
    // Each in a thread of its own: what another one has loaded, or changed of the globals, must not help.
    const url = JSON.stringify(pathToFileURL(join(folder, name)).href)
    const report = `require('worker_threads').parentPort.postMessage(Object.keys(loaded))`
    const script = `import(${url}).then((loaded) => { ${report}; process.exit() })`
    const worker = new Worker(script, { eval: true, stderr: true })
    worker.once('error', (error) => failures.push(`${name}: ${error}`))
    worker.once('message', (names) => {
      if (names.length === 0 && !entries.includes(name)) empty.push(name)
    })
    await new Promise((resolve) => worker.once('exit', resolve))
  }
  assert.deepEqual(failures, [])
  assert.deepEqual(empty, [], 'chunks without exports')
})

/** Returns a chunk and all that are loaded with it. */
function staticImports(chunk: string, found = new Set<string>()): Set<string> {
  if (found.has(chunk)) return found
  found.add(chunk)
  for (const [, name = ''] of readFileSync(chunk, 'utf8').matchAll(
    /^(?:import|export)\b[^;]*?"\.\/([^"]+)";$/gm,
  ))
    staticImports(join(dirname(chunk), name), found)
  return found
}

test('a source map is reduced to one position per line of the selected sources', () => {
  const map = {
    version: 3,
    sources: ['lib.js', 'own.ts'],
    names: [],
    mappings: encode([
      [[0, 0, 0, 0]],
      [
        [0, 1, 4, 2],
        [8, 1, 4, 9],
      ],
      [[0, 0, 1, 0]],
      [[0, 0, 2, 0]],
    ]),
  }
  assert.deepEqual(
    reduceSourceMap(map, (source) => source === 'own.ts'),
    {
      version: 3,
      sources: ['own.ts'],
      names: [],
      mappings: encode([[], [[0, 0, 4, 2]], [[0]], []]),
    },
  )
})
