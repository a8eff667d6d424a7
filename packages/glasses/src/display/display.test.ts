import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { drawBox } from './box.ts'
import { Display } from './display.ts'
import type { PlaceholderValues } from './placeholders.ts'

const facts: PlaceholderValues = { now: new Date(2026, 0, 9, 15, 4), battery: 71, connected: true }
const lensOf = (width = 20, height = 4, known = facts) => new Display({ width, height }, () => known)
const event = (layout: unknown, view: unknown = 'main') => ({ type: 'display_event', view, layout })
const wall = (text: string) => ({ layoutType: 'text_wall', text })

describe('Lens', () => {
  test('SIM-20: what phones do not draw changes nothing', () => {
    const lens = lensOf()
    lens.apply(event(wall('stays')))
    for (const odd of [
      { type: 'display_event', layout: wall('x') },
      event(wall('x'), 'sideways'),
      event({ layoutType: 'dashboard_card', leftText: 'x', rightText: 'x' }),
      event({ layoutType: 'bitmap_animation', frames: ['x'] }),
      event({ layoutType: 'constructor' }),
      event({ layoutType: 'text_wall' }),
      event({ layoutType: 'text_wall', text: 7 }),
      event({ text: 'x' }),
      event(null),
      event('x'),
    ]) {
      assert.equal(lens.apply(odd), false, JSON.stringify(odd))
      assert.equal(lens.text, 'stays')
    }
  })

  test('SIM-21: the dashboard shows only while the head is up', () => {
    const lens = lensOf()
    lens.apply(event(wall('main')))
    lens.apply(event(wall('board'), 'dashboard'))
    assert.equal(lens.text, 'main')
    lens.headUp = true
    assert.equal(lens.text, 'board')
    lens.apply(event(wall('newer')))
    assert.equal(lens.text, 'board')
    lens.contextualDashboard = false
    assert.equal(lens.text, 'newer')
    lens.contextualDashboard = true
    lens.headUp = false
    assert.equal(lens.text, 'newer')
    assert.deepEqual(lens.layoutOf('dashboard'), wall('board'))
  })

  test('SIM-22: text breaks between words, counts columns, and is cut below', () => {
    const lens = lensOf(10, 3)
    lens.apply(event(wall('one two three incomprehensible')))
    assert.deepEqual(lens.lines, ['one two', 'three', 'incomprehe'])
    lens.apply(event(wall('日本語の字幕です')))
    assert.deepEqual(lens.lines, ['日本語の字', '幕です'])
    lens.apply(event(wall('a\nb\nc\nd')))
    assert.deepEqual(lens.lines, ['a', 'b', 'c'])
  })

  test('SIM-23: each layout in its own way', () => {
    const lens = lensOf(20, 4)
    lens.apply(event({ layoutType: 'reference_card', title: 'Title', text: 'Text' }))
    assert.deepEqual(lens.lines, ['Title', '', 'Text'])
    lens.apply(event({ layoutType: 'double_text_wall', topText: '12:00\nMo', bottomText: 'sunny today' }))
    assert.deepEqual(lens.lines, ['12:00      sunny', 'Mo         today'])
    lens.apply(event({ layoutType: 'bitmap_view', data: Buffer.alloc(9).toString('base64') }))
    assert.deepEqual(lens.lines, ['[picture, 9 bytes]'])
    lens.apply(event({ layoutType: 'clear_view' }))
    assert.deepEqual(lens.lines, [])
    lens.apply(event(wall('')))
    assert.deepEqual(lens.lines, [])
  })

  test('SIM-24: placeholders are filled, unknown ones stay', () => {
    const lens = lensOf(60)
    lens.apply(event(wall('$TIME12$|$TIME24$|$DATE$|$no_datetime$|$GBATT$|$CONNECTION_STATUS$|$9.99 $X$')))
    assert.equal(lens.text, '3:04|15:04|1/09|1/09, 3:04|71%|Connected|$9.99 $X$')
    const blind = lensOf(60, 4, { now: new Date(2026, 0, 9, 0, 4), battery: undefined, connected: false })
    blind.apply(event(wall('$TIME12$|$GBATT$|$CONNECTION_STATUS$')))
    assert.equal(blind.text, '12:04||Disconnected')
  })

  test('SIM-25: text cannot steer the terminal', () => {
    const lens = lensOf(40)
    lens.apply(event(wall('\u001B[2Jcle\u0007an\u001B]0;title\u0007\ttext\u009B31m\u2028!')))
    assert.doesNotMatch(lens.text, /[\p{Cc}\u2028]/u)
    assert.match(lens.text, /clean {2}text/)
  })

  test('SIM-26: the same content again is no change', () => {
    const lens = lensOf()
    assert.equal(lens.apply(event(wall('x'))), true)
    assert.equal(lens.apply(event(wall('x'))), false)
    assert.equal(lens.apply(event(wall('x'), 'dashboard')), true)
  })

  test('SIM-60: a box has the lens as its inside', () => {
    assert.deepEqual(drawBox(['日本', 'ab'], { width: 4, height: 3 }), [
      '╭──────╮',
      '│ 日本 │',
      '│ ab   │',
      '│      │',
      '╰──────╯',
    ])
  })
})
