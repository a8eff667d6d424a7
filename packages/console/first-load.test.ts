import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { test } from 'node:test'

const DIST = new URL('dist/', import.meta.url)
const ASSETS = new URL('assets/', DIST)

/** Largest size of the scripts of the first page, compressed with Brotli. */
const MAX_BYTES = 180 * 1024

/** The same for the page of Even G2, which phones load in a web view. */
const MAX_EVEN_BYTES = 120 * 1024

/** Size of the script of the mini app, which engines of phones parse at each start. */
const MAX_MINI_APP_BYTES = 160 * 1024

/** The scripts that a script imports before it runs. */
function importsOf(name: string): string[] {
  const source = readFileSync(new URL(name, ASSETS), 'utf8')
  return [...source.matchAll(/(?:from|import)\s*[`"']\.\/([^`"']+\.js)[`"']/g)].map(([, file = '']) => file)
}

/** Adds a script and those that it imports before it runs. */
function addWithImports(name: string, found: Set<string>): void {
  if (found.has(name)) return
  found.add(name)
  for (const imported of importsOf(name)) addWithImports(imported, found)
}

function sizeOf(name: string): number {
  const compressed = new URL(`${name}.br`, ASSETS)
  return statSync(existsSync(compressed) ? compressed : new URL(name, ASSETS)).size
}

/** The scripts that a page names. */
function scriptsOf(page: string): string[] {
  const source = readFileSync(new URL(page, DIST), 'utf8')
  return [...source.matchAll(/"\.{1,2}\/assets\/([^"]+\.js)"/g)].map(([, name = '']) => name)
}

/** Asserts the size of scripts together with those that they import. */
function assertSize(names: readonly string[], maxBytes: number): Set<string> {
  const found = new Set<string>()
  for (const name of names) addWithImports(name, found)
  const sizes = [...found]
    .map((name) => [name, sizeOf(name)] as const)
    .sort(([, left], [, right]) => right - left)
  const total = sizes.reduce((sum, [, bytes]) => sum + bytes, 0)
  assert.ok(total <= maxBytes, `${total} bytes: ${sizes.map((each) => each.join(' ')).join(', ')}`)
  return found
}

test('the scripts of the first load, with those of the store, are small', () => {
  const first = scriptsOf('index.html')
  const store = readdirSync(ASSETS).filter((name) => /^AppsPage-.*\.js$/.test(name))
  assert.deepEqual([first.length > 0, store.length], [true, 1])
  assert.ok(assertSize([...first, ...store], MAX_BYTES).size > first.length + 1, 'static imports are found')
})

test('EHB-40: the scripts of the page of Even G2 are small, and none of the console', () => {
  const scripts = scriptsOf('glasses/even.html')
  assert.ok(scripts.length > 0)
  const found = assertSize(scripts, MAX_EVEN_BYTES)
  const console = scriptsOf('index.html').filter((name) => name.startsWith('core-'))
  assert.equal(console.length, 1)
  assert.deepEqual(
    console.filter((name) => found.has(name)),
    [],
  )
})

test('the script of the mini app is small', () => {
  const { size } = statSync(new URL('mini-app.js', DIST))
  assert.ok(size <= MAX_MINI_APP_BYTES, `${size} bytes`)
})

test('no script imports itself through others, so that each has what it extends when it runs', () => {
  const scripts = readdirSync(ASSETS).filter((name) => name.endsWith('.js'))
  for (const name of scripts) {
    const found = new Set<string>()
    for (const imported of importsOf(name)) addWithImports(imported, found)
    assert.ok(!found.has(name), `${name} is among ${[...found].join(', ')}`)
  }
})
