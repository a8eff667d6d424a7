import '../../test/dom.ts'
import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'

const { createShortcutReader } = await import('./shortcut-keys.ts')

const PAGES = new Map([
  ['a', '/store'],
  ['g', '/glasses'],
])

afterEach(() => document.body.replaceChildren())

/** Presses keys one after another on an element, and returns what they ask for. */
function press(keys: readonly (string | KeyboardEventInit)[], html = '<main></main>') {
  document.body.innerHTML = html
  const target = document.querySelector('[data-target]') ?? document.body
  const read = createShortcutReader(PAGES)
  const commands: unknown[] = []
  const handle = (event: KeyboardEvent) => void commands.push(read(event))
  document.addEventListener('keydown', handle)
  for (const key of keys) {
    const init = typeof key === 'string' ? { key } : key
    target.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, ...init }))
  }
  document.removeEventListener('keydown', handle)
  return commands.filter((command) => command !== undefined)
}

test('g and a letter lead to a page, / to the search, ? to the list of shortcuts', () => {
  assert.deepEqual(press(['g', 'a']), [{ page: '/store' }])
  assert.deepEqual(press(['g', 'g']), [{ page: '/glasses' }])
  assert.deepEqual(press(['g', 'x', 'a']), [])
  assert.deepEqual(press(['a', '/', '?']), ['search', 'help'])
})

test('keys are no shortcuts where text is typed or an entry is found by its letters', () => {
  const places = [
    '<input data-target>',
    '<input type="search" data-target>',
    '<textarea data-target></textarea>',
    '<select data-target></select>',
    '<p contenteditable><b data-target></b></p>',
    '<ul role="listbox"><li role="option" data-target></li></ul>',
    '<div role="menu"><div role="menuitem" data-target></div></div>',
    '<div role="dialog"><button data-target></button></div>',
  ]
  for (const html of places) assert.deepEqual(press(['?', '/', 'g', 'a'], html), [], html)
  assert.deepEqual(press(['?'], '<input type="checkbox" data-target>'), ['help'])
})

test('keys with a modifier and keys that are held down are no shortcuts', () => {
  for (const modifier of ['ctrlKey', 'metaKey', 'altKey', 'repeat', 'isComposing'])
    assert.deepEqual(
      press([{ key: '?', [modifier]: true }, { key: 'g', [modifier]: true }, 'a']),
      [],
      modifier,
    )
})
