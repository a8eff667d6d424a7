/**
 * Bundles the cloud with the packages it uses into packages/cloud/dist. `npm start` runs it when a source has changed;
 * run `npm run bundle` to make the bundle beforehand, for instance in an image.
 */
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import type { OutputChunk } from 'rolldown'
import { makeFolder } from './build/make-folder.ts'
import { BUNDLE_FOLDER, type BundleManifest, findBundle, hashContent, MANIFEST } from './bundle/find.ts'
import { writeBundle } from './bundle/write.ts'

/** Number of bundles that are kept: a running cloud loads parts of its bundle when it first needs them. */
const KEPT_BUNDLES = 3

const root = join(import.meta.dirname, '..')
const parent = join(root, BUNDLE_FOLDER)

/** The sources in the bundle and the files that determine its packages. */
function inputsOf(chunks: readonly OutputChunk[]): string[] {
  const sources = chunks
    .flatMap(({ moduleIds }) => moduleIds)
    .filter((id) => id.startsWith(root) && !id.includes('node_modules'))
    .map((id) => relative(root, id))
  const packages = new Set(sources.map((source) => source.split('/').slice(0, 2).join('/')))
  const manifests = [...packages].map((folder) => `${folder}/package.json`)
  return [...new Set([...sources, ...manifests, 'package-lock.json', 'scripts/bundle/write.ts'])].sort()
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
  try {
    makeFolder(folder)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  }
  const chunks = await writeBundle(root, folder)
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
