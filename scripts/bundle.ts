/**
 * Bundles the cloud with the packages it uses into packages/cloud/dist. `npm start` runs it when a source has changed;
 * run `npm run bundle` to make the bundle beforehand, for instance in an image.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import type { OutputChunk, Plugin } from 'rolldown'
import { BUNDLE_FOLDER, type BundleManifest, findBundle, hashContent, MANIFEST } from './bundle/find.ts'
import { reduceSourceMap } from './bundle/source-map.ts'

/** Packages that read files of their own or have binaries, and an optional one that is not installed. */
const EXTERNAL = ['lc3codec', 'pg-native', 'sharp']

/** Number of bundles that are kept: a running cloud loads parts of its bundle when it first needs them. */
const KEPT_BUNDLES = 3

const REQUIRE_DECLARATION = /^const require = createRequire\(import\.meta\.url\)$/m

/** Lets `require`, which the sources use to load modules on first use, refer to modules of the bundle. */
const bundleRequired: Plugin = {
  name: 'bundle-required',
  transform: {
    filter: { id: /\.ts$/, code: 'createRequire(import.meta.url)' },
    handler: (code) => ({ code: code.replace(REQUIRE_DECLARATION, ''), map: null }),
  },
}

const root = join(import.meta.dirname, '..')
const parent = join(root, BUNDLE_FOLDER)

/** Writes the bundle into a folder of its own. Returns its chunks. */
async function write(folder: string): Promise<OutputChunk[]> {
  const { rolldown } = await import('rolldown')
  const build = await rolldown({
    cwd: root,
    input: {
      main: 'packages/cloud/src/main.ts',
      // Worker threads are started from files of their own.
      'flite-worker': 'packages/cloud/src/features/tts/flite/flite-worker.ts',
      'password-worker': 'packages/cloud/src/features/auth/password/password-worker.ts',
    },
    platform: 'node',
    external: EXTERNAL,
    plugins: [bundleRequired],
    onLog: (_, log) => {
      // An import that cannot be resolved would only fail at run time.
      if (log.code === 'UNRESOLVED_IMPORT') throw new Error(log.message)
    },
  })
  const { output } = await build.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
    sourcemap: true,
    // Node reads ASCII several times as fast as other UTF-8.
    charset: 'ascii',
    comments: false,
  })
  await build.close()
  return output.filter((file) => file.type === 'chunk')
}

/** Chunks without a source of the project need no map. */
function reduceSourceMaps(folder: string): void {
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.map'))) {
    const file = join(folder, name)
    const isOwn = (source: string) => !source.includes('node_modules')
    const map = reduceSourceMap(JSON.parse(readFileSync(file, 'utf8')), isOwn)
    if (map.sources.length > 0) {
      writeFileSync(file, JSON.stringify(map))
      continue
    }
    rmSync(file)
    const chunk = file.replace(/\.map$/, '')
    writeFileSync(chunk, readFileSync(chunk, 'utf8').replace(`//# sourceMappingURL=${name}`, ''))
  }
}

/** The sources in the bundle and the files that determine its packages. */
function inputsOf(chunks: readonly OutputChunk[]): string[] {
  const sources = chunks
    .flatMap(({ moduleIds }) => moduleIds)
    .filter((id) => id.startsWith(root) && !id.includes('node_modules'))
    .map((id) => relative(root, id))
  const packages = new Set(sources.map((source) => source.split('/').slice(0, 2).join('/')))
  const manifests = [...packages].map((folder) => `${folder}/package.json`)
  return [...new Set([...sources, ...manifests, 'package-lock.json', 'scripts/bundle.ts'])].sort()
}

/** Removes bundles, and remains of interrupted runs, except the latest. */
function removeOldBundles(): void {
  const folders = readdirSync(parent, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(parent, name))
    .sort((one, other) => statSync(other).mtimeMs - statSync(one).mtimeMs)
  for (const folder of folders.slice(KEPT_BUNDLES)) rmSync(folder, { recursive: true, force: true })
}

const startedAt = Date.now()
if (findBundle(root) === undefined) {
  const folder = join(parent, `${startedAt.toString(36)}-${process.pid}`)
  mkdirSync(folder, { recursive: true })
  const chunks = await write(folder)
  reduceSourceMaps(folder)
  const inputs = inputsOf(chunks).map((path): BundleManifest['inputs'][number] => {
    const { size, mtimeMs } = statSync(resolve(root, path))
    if (mtimeMs >= startedAt) throw new Error(`${path} was changed while the bundle was made; try again.`)
    return [path, size, mtimeMs, hashContent(readFileSync(resolve(root, path)))]
  })
  const manifest: BundleManifest = { entry: relative(parent, join(folder, 'main.mjs')), inputs }
  writeFileSync(join(folder, MANIFEST), JSON.stringify(manifest))
  // Replaces the previous one in one step: another start may be reading it.
  renameSync(join(folder, MANIFEST), join(parent, MANIFEST))
  removeOldBundles()
  console.error(`Made the bundle in ${((Date.now() - startedAt) / 1000).toFixed(1)} s.`)
}
