import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/**
 * What the sources import from packages of hundreds of small modules, which have no dependencies and no state that a
 * second copy would split.
 */
const SPECIFIERS = [
  'kysely',
  'kysely/migration',
  'typebox',
  'typebox/compile',
  'typebox/error',
  'typebox/schema',
  'typebox/value',
]

const ROOT = join(import.meta.dirname, '../..')

/**
 * Bundles {@link SPECIFIERS}, once for each lockfile: two thirds of the modules that a cloud in a test process would
 * load one by one.
 * @returns the folder of the bundle, with a file `kysely_migration.mjs` for `kysely/migration`
 */
export async function prebundlePackages(): Promise<string> {
  const hash = createHash('sha256')
  for (const input of [join(ROOT, 'package-lock.json'), import.meta.filename])
    hash.update(readFileSync(input))
  const parent = join(ROOT, 'node_modules/.cache/test-packages')
  const folder = join(parent, hash.digest('hex').slice(0, 16))
  if (existsSync(folder)) return folder
  rmSync(parent, { recursive: true, force: true })
  mkdirSync(parent, { recursive: true })
  const unfinished = `${folder}-${process.pid}`
  const { build } = await import('rolldown')
  await build({
    cwd: join(ROOT, 'packages/cloud'),
    input: Object.fromEntries(SPECIFIERS.map((specifier) => [specifier.replaceAll('/', '_'), specifier])),
    platform: 'node',
    output: { dir: unfinished, entryFileNames: '[name].mjs', chunkFileNames: 'shared-[hash].mjs' },
  })
  // Another run may have been faster.
  if (!existsSync(folder)) renameSync(unfinished, folder)
  return folder
}
