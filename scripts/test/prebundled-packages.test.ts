import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { prebundlePackages } from './prebundled-packages.ts'

test('every import from a bundled package is bundled: another would load a second copy of the package', async () => {
  const root = join(import.meta.dirname, '../..')
  const bundled = globSync(join(await prebundlePackages(), '*.mjs')).map((file) =>
    basename(file, '.mjs').replaceAll('_', '/'),
  )
  const sources = globSync(['packages/**/*.{ts,tsx}', 'apps/**/*.ts', 'bench/**/*.ts'], {
    cwd: root,
    exclude: ['**/node_modules/**', '**/dist/**'],
  })
  const imported = new Set(
    sources.flatMap((file) =>
      [
        ...readFileSync(join(root, file), 'utf8').matchAll(/(?:from|import\() ?'((?:kysely|typebox)[^']*)'/g),
      ].map(([, specifier = '']) => specifier),
    ),
  )
  assert.ok(imported.has('typebox') && imported.has('kysely'), [...imported].join())
  assert.deepEqual(
    [...imported].filter((specifier) => !bundled.includes(specifier)),
    [],
  )
})
