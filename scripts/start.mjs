import { enableCompileCache, flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

// `npm start`: runs the cloud from its bundle, which starts four times as fast as the sources. Makes the bundle first if
// a source has changed; runs the sources if that fails. Builds the web console in the same way.

/** Time from the start of the server until compiled code is written, which blocks it for some milliseconds. */
const FLUSH_DELAY_MS = 1_000

const root = join(import.meta.dirname, '..')

/** Runs a script in another process, so that this one does not keep the memory. It ends with this one. Returns its exit code. */
async function run(script) {
  const { spawn } = await import('node:child_process')
  const endWithParent = ['--import', import.meta.resolve('./end-with-parent.mjs')]
  const child = spawn(process.execPath, [...endWithParent, join(root, 'scripts', script)], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  })
  return new Promise((resolve) => {
    child.once('error', resolve)
    child.once('exit', (code, signal) => {
      if (signal !== null) process.stderr.write(`scripts/${script} was ended by ${signal}.\n`)
      resolve(code)
    })
  })
}

async function makeBundle() {
  const bundle = (await run('bundle.ts')) === 0 ? findBundle(root) : undefined
  if (bundle === undefined) process.stderr.write('The bundle could not be made; starting from the sources.\n')
  return bundle
}

// The cache applies to modules that are imported after this line only.
enableCompileCache(join(root, 'node_modules/.cache/compiled'))
const { findBundle } = await import('./bundle/find.ts')
const { isConsoleCurrent } = await import('./build/console.ts')
// Both at the same time. The cloud starts without a console that cannot be built.
const consoleBuild = isConsoleCurrent(root) ? undefined : run('build.ts')
const bundle = findBundle(root) ?? (await makeBundle())
await consoleBuild
await import(pathToFileURL(bundle ?? join(root, 'packages/cloud/src/main.ts')).href)

// Node writes the cache when the process exits, but a process that is killed should make the next start faster as well.
setTimeout(flushCompileCache, FLUSH_DELAY_MS).unref()
