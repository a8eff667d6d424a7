import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { test } from 'node:test'

const DIST = new URL('dist/', import.meta.url)
const ASSETS = new URL('assets/', DIST)

/** Largest size of the scripts of the first page, compressed with Brotli. */
const MAX_BYTES = 180 * 1024

/** Adds a script and those that it imports before it runs. */
function addWithImports(name: string, found: Set<string>): void {
  if (found.has(name)) return
  found.add(name)
  const source = readFileSync(new URL(name, ASSETS), 'utf8')
  for (const [, imported = ''] of source.matchAll(/(?:from|import)\s*[`"']\.\/([\w.-]+\.js)[`"']/g))
    addWithImports(imported, found)
}

function sizeOf(name: string): number {
  const compressed = new URL(`${name}.br`, ASSETS)
  return statSync(existsSync(compressed) ? compressed : new URL(name, ASSETS)).size
}

test('CON-214: the scripts of the first load, with those of the store, are small', () => {
  const page = readFileSync(new URL('index.html', DIST), 'utf8')
  const first = [...page.matchAll(/"\/assets\/([\w.-]+\.js)"/g)].map(([, name = '']) => name)
  const store = readdirSync(ASSETS).filter((name) => /^AppsPage-.*\.js$/.test(name))
  assert.deepEqual([first.length > 0, store.length], [true, 1])
  const found = new Set<string>()
  for (const name of [...first, ...store]) addWithImports(name, found)
  assert.ok(found.size > 10, 'static imports are found')
  const sizes = [...found]
    .map((name) => [name, sizeOf(name)] as const)
    .sort(([, left], [, right]) => right - left)
  const total = sizes.reduce((sum, [, bytes]) => sum + bytes, 0)
  assert.ok(total <= MAX_BYTES, `${total} bytes: ${sizes.map((each) => each.join(' ')).join(', ')}`)
})
