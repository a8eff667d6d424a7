import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as lucide from 'lucide-react'
import { type ComponentType, createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import * as icons from './icons.ts'

const originals = new Map<string, unknown>(Object.entries(lucide))

/** The markup without the classes, which no style refers to. */
function render(icon: unknown, props = {}): string {
  return renderToStaticMarkup(createElement(icon as ComponentType, props)).replace(/ class="[^"]*"/, '')
}

test('each icon is the drawing of Lucide with the same name, and hidden without a label', () => {
  for (const [name, icon] of Object.entries(icons)) {
    assert.equal(render(icon), render(originals.get(name)), name)
    assert.doesNotMatch(render(icon, { role: 'img', 'aria-label': 'Name' }), /aria-hidden="true"/, name)
  }
})
