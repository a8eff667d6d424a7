import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { GreyPicture, Page } from '../../src/adapter/glasses-adapter.ts'
import { measureText } from '../../src/even-hub/lens.ts'
import { connectedEvenRig } from '../support/even-rig.ts'
import { textPage } from '../support/text-page.ts'

const WIDTH = 576
const HEIGHT = 288

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}`)

function pictureOf(shade: (x: number, y: number) => number): Page {
  const pixels = Uint8Array.from({ length: WIDTH * HEIGHT }, (_, index) =>
    shade(index % WIDTH, Math.floor(index / WIDTH)),
  )
  const picture: GreyPicture = { width: WIDTH, height: HEIGHT, pixels }
  return { kind: 'picture', picture }
}

describe('the lens of an Even G2', () => {
  test('ten lines of text, and only the half that changed is sent', async () => {
    const rig = await connectedEvenRig()
    assert.equal(await rig.show(textPage(...numbered(10))), true)
    assert.deepEqual(rig.bridge.lines, numbered(10))
    assert.deepEqual(rig.bridge.calls.splice(0), ['text upper', 'text lower'])
    await rig.show(textPage(...numbered(9), 'new'))
    assert.deepEqual(rig.bridge.lines, [...numbered(9), 'new'])
    await rig.show(textPage(...numbered(3)))
    assert.deepEqual(rig.bridge.lines, numbered(3))
    await rig.show({ kind: 'blank' })
    assert.deepEqual(rig.bridge.lines, [])
    assert.deepEqual(rig.bridge.calls, ['text lower', 'text upper', 'text lower', 'text upper'])
  })

  test('EHB-11: a full line of any characters leaves five lines below the 999 bytes of a container', () => {
    const { length } = Array.from({ length: 0x2ffff - 0x20 }, (_, index) => index + 0x20).filter((code) => {
      if (code >= 0xd800 && code <= 0xdfff) return false
      const character = String.fromCodePoint(code)
      const perLine = Math.floor(566 / measureText(character))
      return 5 * (perLine * Buffer.byteLength(character) + 1) > 999
    })
    assert.equal(length, 0)
  })

  test('EHB-11: text is measured with the widths of the glyphs', async () => {
    const { glasses } = await connectedEvenRig()
    const { measure, width, lines } = glasses.screen
    assert.deepEqual([lines, width], [10, 566])
    const cases: [string, number][] = [
      ['', 0],
      ['Hello', 12 + 10 + 4 + 4 + 10],
      ['~ ', 21],
      ['é', 10],
      ['î', 9],
      ['Жа', 17 + 12],
      ['漢字', 40],
      ['말', 18],
      ['👓', 24],
    ]
    for (const [text, expected] of cases) assert.equal(measure(text), expected, text)
  })

  test('EHB-11 PAGE-14: characters that take no room have no width, and are not sent', async () => {
    const rig = await connectedEvenRig()
    const { measure } = rig.glasses.screen
    const written = '\ufeffo\u200bn\u200de\u00ad\ufe0f'
    assert.deepEqual([measure(written), measure('말'.normalize('NFD'))], [measure('one'), 18])
    await rig.show(textPage(written, '말'.normalize('NFD')))
    assert.deepEqual(rig.bridge.lines, ['one', '말'])
  })

  test('of a burst of pages the first and the newest are drawn, one call at a time', async () => {
    const rig = await connectedEvenRig()
    const shown = Array.from({ length: 50 }, (_, index) => rig.glasses.show(textPage(`page ${index}`)))
    const confirmed = await rig.clock.during(Promise.all(shown), 1000)
    assert.deepEqual([confirmed.indexOf(true), confirmed.lastIndexOf(true)], [0, 49])
    assert.equal(confirmed.filter(Boolean).length, 2)
    assert.deepEqual(rig.bridge.lines, ['page 49'])
    assert.deepEqual([rig.bridge.calls.length, rig.bridge.mostAtATime], [2, 1])
  })

  test('a picture is drawn in 16 greys, and tiles that stay the same are not sent again', async () => {
    const rig = await connectedEvenRig()
    const ramp = pictureOf((x, y) => (y < 144 ? Math.floor(x / 36) * 17 : 0))
    assert.equal(await rig.show(ramp), true)
    assert.deepEqual(rig.bridge.calls.splice(0), ['rebuild', 'image tile-0', 'image tile-1'])
    const pixels = rig.bridge.pixels ?? new Uint8Array()
    assert.deepEqual(pixels, ramp.kind === 'picture' && ramp.picture.pixels)

    await rig.show(pictureOf((x, y) => (y < 144 ? Math.floor(x / 36) * 17 : x < 288 ? 0 : 100)))
    assert.deepEqual(rig.bridge.calls.splice(0), ['image tile-3'])
    const greys = new Set(rig.bridge.pixels?.subarray(200 * WIDTH + 288, 201 * WIDTH))
    assert.deepEqual([...greys].sort(), [102, 85])
    const tile = Array.from({ length: 144 }, (_, y) =>
      rig.bridge.pixels?.subarray((144 + y) * WIDTH + 288, (145 + y) * WIDTH),
    )
    const mean = tile.flatMap((row) => [...(row ?? [])]).reduce((sum, grey) => sum + grey, 0) / (288 * 144)
    assert.ok(Math.abs(mean - 100) < 1, `${mean}`)
  })

  test('a newer page ends a picture after the tile in transmission; text and pictures replace each other', async () => {
    const rig = await connectedEvenRig()
    rig.bridge.delayMs = 500
    const picture = rig.glasses.show(pictureOf(() => 255))
    await rig.clock.advance(750)
    const text = rig.glasses.show(textPage('newer'))
    assert.deepEqual(await rig.clock.during(Promise.all([picture, text]), 2000), [false, true])
    assert.deepEqual(rig.bridge.calls.splice(0), ['rebuild', 'image tile-0', 'rebuild'])
    assert.deepEqual(rig.bridge.lines, ['newer'])
    rig.bridge.delayMs = 5
    await rig.show(pictureOf(() => 255))
    assert.ok(rig.bridge.pixels?.every((pixel) => pixel === 255))
    assert.equal(rig.bridge.calls.length, 5)
  })

  test('a page that fails is drawn from scratch, reported, and repeated until it or a newer one is there', async () => {
    const rig = await connectedEvenRig()
    for (const broken of ['refuse', 'throw'] as const) {
      rig.bridge.broken = broken
      assert.equal(await rig.show(textPage(`${broken}d`)), false)
      assert.equal(rig.events.problems.splice(0).length, 1)
      rig.bridge.broken = 'no'
      await rig.clock.advance(5_100)
      assert.deepEqual(rig.bridge.lines, [`${broken}d`])
    }
    rig.bridge.broken = 'refuse'
    await rig.show(textPage('old'))
    rig.bridge.broken = 'no'
    await rig.show(textPage('new'))
    rig.bridge.calls.length = 0
    await rig.clock.advance(60_000)
    assert.deepEqual([rig.bridge.lines, rig.bridge.calls], [['new'], []])
    assert.match(String(rig.events.problems), /did not take a page/)
  })

  test('a call that is not answered holds others up for ten seconds only', async () => {
    const rig = await connectedEvenRig()
    rig.bridge.broken = 'hang'
    const lost = rig.glasses.show(textPage('lost'))
    await rig.clock.advance(100)
    rig.bridge.broken = 'no'
    const next = rig.glasses.show(textPage('next'))
    await rig.clock.advance(9_800)
    assert.deepEqual(rig.bridge.lines, [])
    assert.deepEqual(await rig.clock.during(Promise.all([lost, next]), 1_000), [false, true])
    assert.deepEqual(rig.bridge.lines, ['next'])
  })
})
