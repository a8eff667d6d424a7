import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Layout } from '@glasses-cloud/contract'
import type { Page, Screen } from '../../src/adapter/glasses-adapter.ts'
import { layoutPages } from '../../src/pages/layout-pages.ts'
import { bmp } from '../support/bmp.ts'
import { PIXEL_SCREEN } from '../support/text-page.ts'

const clean = (text: string) => text.replace('$TIME24$', '15:04')
const pagesOf = (layout: Layout, screen: Screen = PIXEL_SCREEN) => layoutPages(layout, screen, clean)
const wall = (text: string): Layout => ({ layoutType: 'text_wall', text })
const linesOf = (pages: readonly Page[] | undefined) =>
  pages?.map((page) => (page.kind === 'text' ? page.lines : page.kind))

test('a text with more lines than the screen has several pages', () => {
  const pages = pagesOf(wall('1\n2\n3\n4\n5\n6\n7\n\n'))
  assert.deepEqual(pages, [
    { kind: 'text', lines: ['1', '2', '3', '4', '5'], number: 1, total: 2 },
    { kind: 'text', lines: ['6', '7'], number: 2, total: 2 },
  ])
})

test('PAGE-4: each layout of text', () => {
  assert.deepEqual(linesOf(pagesOf(wall('At $TIME24$'))), [['At 15:04']])
  const card: Layout = { layoutType: 'reference_card', title: 'Title', text: 'Text' }
  assert.deepEqual(linesOf(pagesOf(card)), [['Title', '', 'Text']])
  assert.deepEqual(linesOf(pagesOf({ layoutType: 'clear_view' })), ['blank'])
  assert.deepEqual(linesOf(pagesOf(wall(''))), ['blank'])
})

test('PAGE-4: layouts that phones do not draw have no pages', () => {
  assert.equal(pagesOf({ layoutType: 'dashboard_card', leftText: 'a', rightText: 'b' }), undefined)
  assert.equal(pagesOf({ layoutType: 'bitmap_animation', frames: [bmp({}).toString('base64')] }), undefined)
})

test('the right column starts at one place, by the widths of the glyphs', () => {
  const [lines] = linesOf(
    pagesOf({ layoutType: 'double_text_wall', topText: 'iiii\nwwwww wwwww', bottomText: 'sunny today' }),
  ) ?? [[]]
  assert.ok(Array.isArray(lines))
  assert.equal(lines.length, 3)
  const { measure, width } = PIXEL_SCREEN
  const starts = ['sunny', 'today'].map((word, row) => measure(lines[row].slice(0, lines[row].indexOf(word))))
  for (const start of starts) assert.ok(start > 100 && start <= 106, `starts at ${start}`)
  for (const line of lines) assert.ok(measure(line) <= width)
})

test('PAGE-6: a text of any length has at most 100 pages of its first 5,000 characters', () => {
  assert.equal(pagesOf(wall(`${'\n'.repeat(5_000)}x`))?.length, 1, 'only empty lines remain')
  assert.equal(pagesOf(wall('x\n'.repeat(2_500)))?.length, 100)
  const pages = pagesOf(wall('😀'.repeat(30_000)), { ...PIXEL_SCREEN, lines: 1_000 })
  const text = linesOf(pages)?.flat().join('') ?? ''
  assert.equal(text.length, 5_000)
  const odd = linesOf(pagesOf(wall(`a${'😀'.repeat(30_000)}`), { ...PIXEL_SCREEN, lines: 1_000 }))
  assert.doesNotMatch(odd?.flat().join('') ?? '', /\p{Cs}/u, 'no half of a character')
})

test('PAGE-14: text is composed before it is measured and cut, and its line breaks are all the same', () => {
  const korean = '안경으로 읽는 한국어 자막은 두 줄이면 된다'
  assert.deepEqual(linesOf(pagesOf(wall(korean.normalize('NFD')))), linesOf(pagesOf(wall(korean))))
  assert.deepEqual(linesOf(pagesOf(wall('a\r\nb\rc\u2028d\u0085e\tf\0\ud83d'))), [
    ['a', 'b', 'c', 'd', 'e  f'],
  ])
  const pages = pagesOf(wall('한'.repeat(5_001).normalize('NFD')), { ...PIXEL_SCREEN, lines: 1_000 })
  assert.equal(linesOf(pages)?.flat().join(''), '한'.repeat(5_000))
  const family = '👩‍👩‍👧‍👦'
  const cut = linesOf(pagesOf(wall(`x${family.repeat(600)}`), { ...PIXEL_SCREEN, lines: 2_000 }))
  assert.equal(cut?.flat().join(''), `x${family.repeat(454)}`, 'not within an emoji')
})

test('PAGE-10: a picture has the size of the picture area', () => {
  const screen: Screen = { ...PIXEL_SCREEN, picture: { width: 4, height: 2, shades: 2 } }
  const data = bmp({
    bits: 1,
    rows: [
      [1, 0],
      [0, 1],
    ],
  }).toString('base64')
  assert.deepEqual(pagesOf({ layoutType: 'bitmap_view', data }, screen), [
    {
      kind: 'picture',
      picture: { width: 4, height: 2, pixels: Uint8Array.of(0, 255, 0, 0, 0, 0, 255, 0) },
    },
  ])
})

test('PAGE-10: a screen without a picture area', () => {
  const data = Buffer.alloc(9).toString('base64')
  assert.deepEqual(linesOf(pagesOf({ layoutType: 'bitmap_view', data })), [['[picture, 9 bytes]']])
})

test('PAGE-12: invalid or excessive Base64', () => {
  for (const data of ['%%%', 'A'.repeat(1_000_004)])
    assert.throws(() => pagesOf({ layoutType: 'bitmap_view', data }), { name: 'PictureError' })
})
