import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from '../../src/adapter/glasses-adapter.ts'
import { PageTurner } from '../../src/pages/page-turner.ts'

const textPages = (...texts: string[]): Page[] =>
  texts.map((text, index) => ({ kind: 'text', lines: [text], number: index + 1, total: texts.length }))
const shownBy = ({ page }: PageTurner) => (page.kind === 'text' ? page.lines[0] : page.kind)

test('PAGE-7: taps on the right and left temple turn the pages and stop at both ends', () => {
  const turner = new PageTurner()
  turner.setPages('main', textPages('one', 'two'))
  const tap = (side: 'left' | 'right') => turner.turnBy({ name: 'single_tap', side })
  assert.equal(tap('left'), false)
  assert.equal(tap('right'), true)
  assert.equal(shownBy(turner), 'two')
  assert.equal(tap('right'), false)
  assert.equal(tap('left'), true)
  assert.equal(shownBy(turner), 'one')
})

test('PAGE-7: taps without a side turn forward, and from the last page to the first', () => {
  const turner = new PageTurner()
  turner.setPages('main', textPages('one', 'two', 'three'))
  const shown = Array.from({ length: 4 }, () => {
    assert.equal(turner.turnBy({ name: 'single_tap' }), true)
    return shownBy(turner)
  })
  assert.deepEqual(shown, ['two', 'three', 'one', 'two'])
})

test('PAGE-7: other gestures, and taps on a text of one page, turn nothing', () => {
  const turner = new PageTurner()
  turner.setPages('main', textPages('one', 'two'))
  assert.equal(turner.turnBy({ name: 'double_tap', side: 'right' }), false)
  assert.equal(turner.turnBy({ name: 'double_tap' }), false)
  turner.setPages('main', textPages('only'))
  assert.equal(turner.turnBy({ name: 'single_tap', side: 'right' }), false)
  assert.equal(turner.turnBy({ name: 'single_tap' }), false)
})

test('PAGE-8: another text starts at its first page, the same text keeps its page', () => {
  const turner = new PageTurner()
  turner.setPages('main', textPages('one', 'two'))
  turner.nextPage()
  turner.setPages('main', textPages('one', 'two'))
  assert.equal(shownBy(turner), 'two')
  turner.setPages('main', textPages('one', 'other'))
  assert.equal(shownBy(turner), 'one')
})

test('PAGE-8: each view keeps its page while the other one is visible', () => {
  const turner = new PageTurner()
  turner.setPages('main', textPages('one', 'two'))
  turner.setPages('dashboard', textPages('board', 'more'))
  turner.nextPage()
  turner.view = 'dashboard'
  assert.equal(shownBy(turner), 'board')
  turner.view = 'main'
  assert.equal(shownBy(turner), 'two')
  turner.previousPage()
  assert.equal(shownBy(turner), 'one')
})
