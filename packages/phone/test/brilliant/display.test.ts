import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { GreyPicture } from '../../src/adapter/glasses-adapter.ts'
import { fitPicture } from '../../src/pictures/fit-picture.ts'
import { type BrilliantRig, connectedRig } from '../support/brilliant-rig.ts'
import { textPage } from '../support/text-page.ts'

const KINDS = ['Frame', 'Halo'] as const

/** A picture of the whole area: a ramp from dark to bright with a bright corner at the top left. */
function ramp({ glasses }: BrilliantRig): GreyPicture {
  const { width, height } = glasses.screen.picture ?? { width: 0, height: 0 }
  const pixels = Uint8Array.from({ length: width * height }, (_, index) => {
    const [x, y] = [index % width, Math.floor(index / width)]
    return x < 8 && y < 8 ? 255 : Math.floor((x / width) * 256)
  })
  return { width, height, pixels }
}

function lit({ model }: BrilliantRig): [x: number, y: number][] {
  const { pixels, width } = model.lens
  return [...pixels.entries()]
    .filter(([, bit]) => bit === 1)
    .map(([index]) => [index % width, Math.floor(index / width)])
}

describe('the display of a Frame and a Halo', () => {
  for (const kind of KINDS)
    test(`BRL-20 BRL-21: as many characters and lines fit on a ${kind} as the screen says`, async () => {
      const rig = await connectedRig(kind)
      const { lines, width, measure } = rig.glasses.screen
      for (const characters of ['iljt.', 'mwMW@', 'Hello, World 0123456789']) {
        let line = ''
        for (let index = 0; ; index++) {
          const next = line + (characters[index % characters.length] ?? '')
          if (measure(next) > width) break
          line = next
        }
        const page = Array.from({ length: lines }, () => line)
        assert.equal(await rig.show(...page), true)
        assert.deepEqual(
          rig.model.lens.lines.map((shown) => shown.trimEnd()),
          page.map((shown) => shown.trimEnd()),
        )
      }
      assert.deepEqual([rig.model.lens.overflows, rig.model.lens.missingGlyphs], [0, 0])
      const more = (characters: string) => measure(characters.repeat(3)) / 3
      assert.deepEqual(['i', 'm', '%', ' '].map(more), kind === 'Frame' ? [9, 32, 38, 17] : [16, 16, 16, 16])
    })

  for (const kind of KINDS)
    test(`BRL-21: every printable ASCII character of a ${kind} is as wide as it is measured`, async () => {
      const rig = await connectedRig(kind)
      const { measure } = rig.glasses.screen
      const page = Array.from({ length: 95 }, (_, index) => String.fromCharCode(0x20 + index))
      const drawn = (line: string) => {
        rig.model.lens.clear()
        rig.model.lens.text(line, kind === 'Frame' ? 1 : 25, 120)
        rig.model.lens.show()
        const { pixels, width: columns } = rig.model.lens
        const isLit = (x: number) =>
          Array.from({ length: 16 }).some((_, y) => pixels[(119 + y) * columns + x])
        for (let x = columns - 1; x > 0; x--) if (isLit(x)) return x
        return 0
      }
      for (const character of page) {
        if (kind === 'Frame' && character === '/') continue
        // A vertical bar after the text shows where the next character begins.
        const distance = drawn(`|${character}|`) - drawn('|')
        assert.equal(distance, measure(`|${character}`), character)
      }
    })

  test('BRL-21: characters without a glyph are spelled with others', async () => {
    const frame = await connectedRig('Frame')
    const lines = ['and/or “quoted” – it’s…', 'Łódź, ½, ﬁne, e\u0301t\u00e9', 'Ünïcödé ß æ €', '日本 жук 👓']
    await frame.show(...lines)
    assert.deepEqual(frame.model.lens.lines, [
      'and|or "quoted" - it\'s...',
      'Łódz, 12, fine, eté',
      'Ünïcödé ß æ €',
      '?? ??? ?',
    ])
    const halo = await connectedRig('Halo')
    await halo.show('Straße 7/8', 'smørrebrød', 'a\tb\u200d', '5 € ¿qué?')
    assert.deepEqual(halo.model.lens.lines, ['Strasse 7/8', 'smorrebrod', 'a b', '5 EUR ?que?'])
    await halo.show('👩‍👩‍👧‍👦 🇩🇪 क्षि', 'o\u00adn\u200be\ufeff')
    assert.deepEqual(halo.model.lens.lines, ['? ? ?', 'one'])
    for (const { model } of [frame, halo]) assert.equal(model.lens.missingGlyphs, 0)
    assert.equal(halo.glasses.screen.measure('ß'), 32)
  })

  for (const kind of KINDS)
    test(`BRL-20: a blank page removes what a ${kind} shows`, async () => {
      const rig = await connectedRig(kind)
      await rig.show('text', '', 'third line')
      assert.deepEqual(rig.model.lens.lines, ['text', 'third line'])
      assert.equal(await rig.during(rig.glasses.show({ kind: 'blank' }), 1000), true)
      assert.deepEqual([rig.model.lens.lines, lit(rig)], [[], []])
    })

  test('of a burst of 50 pages the first and the newest are drawn, within 300 ms', async () => {
    const rig = await connectedRig('Frame')
    const long = Array.from({ length: 6 }, () => 'the quick brown fox jumps over')
    const shown = Array.from({ length: 50 }, (_, index) =>
      rig.glasses.show(textPage(`page ${index}`, ...long.slice(1))),
    )
    const confirmed = await rig.during(Promise.all(shown), 300)
    assert.deepEqual(
      confirmed.map((isShown, index) => (isShown ? index : -1)).filter((index) => index >= 0),
      [0, 49],
    )
    assert.equal(rig.model.lens.lines[0], 'page 49')
  })

  for (const kind of KINDS)
    test(`BRL-23: a picture is drawn in black and white on a ${kind}, the right way up`, async () => {
      const rig = await connectedRig(kind)
      await rig.show('before')
      const picture = ramp(rig)
      assert.equal(await rig.during(rig.glasses.show({ kind: 'picture', picture }), 9000), true)
      assert.deepEqual(rig.model.lens.lines, [])
      const { width, height } = picture
      const [left, top] = kind === 'Frame' ? [0, 0] : [24, 56]
      const points = lit(rig).map(([x, y]): [number, number] => [x - left, y - top])
      assert.ok(points.every(([x, y]) => x >= 0 && x < width && y >= 0 && y < height))
      assert.equal(points.filter(([x, y]) => x < 8 && y < 8).length, 64)
      const middle = points.filter(([x]) => x >= width / 2 - 40 && x < width / 2 + 40).length
      assert.ok(Math.abs(middle / (80 * height) - 0.5) < 0.02, `${middle}`)
    })

  test('BRL-23: only the lit part is sent, and a picture that is all dark is a blank page', async () => {
    const rig = await connectedRig('Frame')
    const before = rig.model.packets
    const small = fitPicture({ width: 2, height: 2, pixels: new Uint8Array(4).fill(255) }, 640, 400)
    await rig.during(rig.glasses.show({ kind: 'picture', picture: small }), 1000)
    assert.deepEqual(lit(rig), [
      [319, 199],
      [320, 199],
      [319, 200],
      [320, 200],
    ])
    assert.equal(rig.model.packets - before, 2)
    const dark = { width: 640, height: 400, pixels: new Uint8Array(640 * 400) }
    assert.equal(await rig.during(rig.glasses.show({ kind: 'picture', picture: dark }), 1000), true)
    assert.deepEqual(lit(rig), [])
  })

  test('BRL-23: a newer page ends the transfer of a picture, of which nothing is left', async () => {
    const rig = await connectedRig('Frame')
    const picture = rig.glasses.show({ kind: 'picture', picture: ramp(rig) })
    await rig.clock.advance(1000)
    assert.equal(await rig.during(rig.glasses.show(textPage('newer')), 200), true)
    assert.equal(await picture, false)
    assert.deepEqual(rig.model.lens.lines, ['newer'])
    const white = { width: 8, height: 1, pixels: new Uint8Array(8).fill(255) }
    const small = fitPicture(white, 640, 400)
    await rig.during(rig.glasses.show({ kind: 'picture', picture: small }), 1000)
    assert.equal(lit(rig).length, 8)
  })

  test('BRL-24: text of apps is never a statement of the console', async () => {
    const rig = await connectedRig('Halo')
    const { length } = rig.model.printed
    const lines = ["'..f(1)..'", '\\n]] print(2)', 'print(frame)', '\u0003']
    await rig.show(...lines)
    assert.deepEqual(rig.model.lens.lines, lines.slice(0, 3))
    assert.equal(rig.model.printed.length, length)
    assert.ok(rig.model.isRunning)
  })
})
