import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import stringWidth from 'string-width'
import type { Screen } from '../adapter/glasses-adapter.ts'
import { drawBox } from '../simulated/box.ts'
import { Display, type PlaceholderValues } from './display.ts'

const values: PlaceholderValues = { now: new Date(2026, 0, 9, 15, 4), battery: 71, connected: true }
const columns = (width: number, lines: number): Screen => ({ width, lines, measure: stringWidth })
const displayOf = (width = 20, lines = 4, placeholders = values) =>
  new Display(
    () => columns(width, lines),
    () => placeholders,
  )
const event = (layout: unknown, view: unknown = 'main') => ({ type: 'display_event', view, layout })
const wall = (text: string) => ({ layoutType: 'text_wall', text })

describe('Display', () => {
  test('layouts that phones do not draw change nothing', () => {
    const display = displayOf()
    display.apply(event(wall('unchanged')))
    for (const message of [
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
      assert.equal(display.apply(message), false, JSON.stringify(message))
      assert.equal(display.text, 'unchanged')
    }
  })

  test('the dashboard is visible only while the head is up', () => {
    const display = displayOf()
    display.apply(event(wall('main')))
    display.apply(event(wall('board'), 'dashboard'))
    assert.equal(display.text, 'main')
    display.headUp = true
    assert.equal(display.text, 'board')
    display.apply(event(wall('newer')))
    assert.equal(display.text, 'board')
    display.contextualDashboard = false
    assert.equal(display.text, 'newer')
    display.contextualDashboard = true
    display.headUp = false
    assert.equal(display.text, 'newer')
    assert.deepEqual(display.layoutOf('dashboard'), wall('board'))
  })

  test('text wraps between words, wide characters count twice, extra lines are cut', () => {
    let screen = columns(10, 3)
    const display = new Display(
      () => screen,
      () => values,
    )
    display.apply(event(wall('one two three incomprehensible')))
    assert.deepEqual(display.lines, ['one two', 'three', 'incomprehe'])
    display.apply(event(wall('日本語の字幕です')))
    assert.deepEqual(display.lines, ['日本語の字', '幕です'])
    display.apply(event(wall('a\nb\nc\nd')))
    assert.deepEqual(display.lines, ['a', 'b', 'c'])
    screen = columns(10, 2)
    assert.deepEqual(display.lines, ['a', 'b'], 'other glasses draw the same text in their size')
  })

  test('draws each layout', () => {
    const display = displayOf(20, 4)
    display.apply(event({ layoutType: 'reference_card', title: 'Title', text: 'Text' }))
    assert.deepEqual(display.lines, ['Title', '', 'Text'])
    display.apply(event({ layoutType: 'double_text_wall', topText: '12:00\nMo', bottomText: 'sunny today' }))
    assert.deepEqual(display.lines, ['12:00      sunny', 'Mo         today'])
    display.apply(event({ layoutType: 'bitmap_view', data: Buffer.alloc(9).toString('base64') }))
    assert.deepEqual(display.lines, ['[picture, 9 bytes]'])
    display.apply(event({ layoutType: 'clear_view' }))
    assert.deepEqual(display.lines, [])
    display.apply(event(wall('')))
    assert.deepEqual(display.lines, [])
  })

  test('SIM-24: placeholders are replaced, unknown ones remain', () => {
    const display = displayOf(60)
    display.apply(event(wall('$TIME12$|$TIME24$|$DATE$|$no_datetime$|$GBATT$|$CONNECTION_STATUS$|$9.99 $X$')))
    assert.equal(display.text, '3:04|15:04|1/09|1/09, 3:04|71%|Connected|$9.99 $X$')
    const withoutValues = displayOf(60, 4, {
      now: new Date(2026, 0, 9, 0, 4),
      battery: undefined,
      connected: false,
    })
    withoutValues.apply(event(wall('$TIME12$|$GBATT$|$CONNECTION_STATUS$')))
    assert.equal(withoutValues.text, '12:04||Disconnected')
  })

  test('SIM-25: text cannot control the terminal', () => {
    const display = displayOf(40)
    display.apply(event(wall('\u001B[2Jcle\u0007an\u001B]0;title\u0007\ttext\u009B31m\u2028!')))
    assert.doesNotMatch(display.text, /(?!\n)[\p{Cc}\u2028]/u)
    assert.match(display.text, /clean {2}text/)
  })

  test('repeated content is not a change', () => {
    const display = displayOf()
    assert.equal(display.apply(event(wall('x'))), true)
    assert.equal(display.apply(event(wall('x'))), false)
    assert.equal(display.apply(event(wall('x'), 'dashboard')), true)
  })

  test('draws a box around the lines', () => {
    assert.deepEqual(drawBox(['日本', 'ab'], { width: 4, height: 3 }), [
      '╭──────╮',
      '│ 日本 │',
      '│ ab   │',
      '│      │',
      '╰──────╯',
    ])
  })

  test('PAGE-8: the time changes without a turn of the page', () => {
    let now = new Date(2026, 0, 9, 15, 4)
    const display = new Display(
      () => columns(20, 2),
      () => ({ ...values, now }),
    )
    display.apply(event(wall('a\nb\n$TIME24$\nd')))
    assert.equal(display.nextPage(), true)
    assert.deepEqual(display.lines, ['15:04', 'd'])
    now = new Date(2026, 0, 9, 15, 5)
    assert.deepEqual(display.lines, ['15:05', 'd'])
    display.apply(event(wall('a\nb\nc\nd')))
    assert.deepEqual(display.lines, ['a', 'b'])
  })
})
