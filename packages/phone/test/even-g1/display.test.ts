import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { GreyPicture } from '../../src/adapter/glasses-adapter.ts'
import { fitPicture } from '../../src/pictures/fit-picture.ts'
import { connectedRig } from '../support/g1-rig.ts'
import { textPage } from '../support/text-page.ts'

/** A ramp from dark to bright, with a bright corner at the top left. */
function ramp(): GreyPicture {
  const pixels = Uint8Array.from({ length: 576 * 136 }, (_, index) => {
    const [x, y] = [index % 576, Math.floor(index / 576)]
    return x < 8 && y < 8 ? 255 : Math.floor((x / 576) * 256)
  })
  return { width: 576, height: 136, pixels }
}

describe('the display of an Even G1', () => {
  test('EG1-10: lines of any script are drawn alike on both arms, cut into packets at any byte', async () => {
    const rig = await connectedRig()
    for (let length = 1; length <= 32; length++) {
      const lines = [
        '日本語'.repeat(11).slice(0, length),
        'Ünïcödé 👓',
        'x'.repeat(length),
        'жук'.repeat(10),
        '말'.repeat(20),
      ]
      assert.equal(await rig.show(...lines), true)
      for (const { lens } of rig.model.arms) assert.deepEqual(lens.lines, lines)
    }
    assert.ok(rig.model.areLensesEqual)
    assert.deepEqual(
      rig.model.arms.map(({ lens }) => lens.overflows),
      [0, 0],
    )
    const packets = rig.model.left.received.get(0x4e) ?? 0
    assert.ok(packets > 50 && packets < 96, `pages of one and of two packets: ${packets}`)
  })

  test('EG1-10: a control character is drawn as a space, and a blank page as nothing', async () => {
    const rig = await connectedRig()
    await rig.show('a\nb\tc', 'd')
    assert.deepEqual(rig.model.left.lens.lines, ['a b c', 'd'])
    assert.equal(await rig.during(rig.glasses.show({ kind: 'blank' }), 1000), true)
    for (const { lens } of rig.model.arms) assert.deepEqual([lens.kind, lens.lines], ['text', []])
    assert.ok(rig.model.left.lens.pixels.every((pixel) => pixel === 0))
  })

  test('EG1-11: of a burst of 50 pages each arm draws the first and the newest', async () => {
    const rig = await connectedRig()
    const shown = Array.from({ length: 50 }, (_, index) => rig.glasses.show(textPage(`page ${index}`)))
    const confirmed = await rig.during(Promise.all(shown), 1000)
    assert.deepEqual(
      confirmed.map((isShown, index) => (isShown ? index : -1)).filter((index) => index >= 0),
      [0, 49],
    )
    for (const arm of rig.model.arms) assert.deepEqual(arm.shown, ['page 0', 'page 49'])
  })

  test('EG1-11: a page that comes during another is the next, and no arm draws an older one after it', async () => {
    const rig = await connectedRig()
    rig.model.right.faults.delayMs = 40
    for (let index = 0; index < 50; index++) {
      void rig.glasses.show(textPage(`${index}`, 'x'.repeat(140), 'y'.repeat(60)))
      await rig.clock.advance(23)
    }
    await rig.clock.advance(1000)
    for (const arm of rig.model.arms) {
      const numbers = arm.shown.map((text) => Number.parseInt(text, 10))
      assert.deepEqual(
        numbers,
        [...numbers].sort((a, b) => a - b),
      )
      assert.equal(numbers.at(-1), 49)
      assert.ok(numbers.length > 5 && numbers.length < 50, `${numbers.length}`)
    }
  })

  test('both arms confirm a page within 150 ms', async () => {
    const rig = await connectedRig()
    const times: number[] = []
    for (let index = 0; index < 100; index++) {
      const startedAt = rig.clock.now()
      const lines = Array.from({ length: 1 + (index % 5) }, () => 'the quick brown fox jumps over the dog')
      void rig.glasses.show(textPage(...lines)).then((isShown) => {
        assert.ok(isShown)
        times.push(rig.clock.now() - startedAt)
      })
      await rig.clock.advance(400)
    }
    times.sort((a, b) => a - b)
    assert.equal(times.length, 100)
    assert.ok(
      (times.at(50) ?? 0) < 150 && (times.at(-1) ?? 0) < 150,
      `p50 ${times.at(50)}, max ${times.at(-1)}`,
    )
  })

  test('after a double tap nothing is drawn until the next page', async () => {
    const rig = await connectedRig()
    await rig.show('before')
    const long = Array.from({ length: 5 }, () => 'w'.repeat(36).padEnd(90, '.'))
    const interrupted = rig.glasses.show(textPage(...long))
    const waiting = rig.glasses.show(textPage('waiting'))
    await rig.clock.advance(5)
    rig.model.left.lens.showDashboard()
    rig.model.left.emit(0x00)
    assert.deepEqual(await rig.during(Promise.all([interrupted, waiting]), 1000), [false, false])
    rig.model.left.drop()
    await rig.clock.advance(20_000)
    assert.equal(rig.glasses.link.state, 'connected')
    assert.deepEqual(rig.model.left.shown, ['before'])
    assert.equal(rig.model.left.lens.kind, 'dashboard')
    assert.equal(await rig.show('after'), true)
    assert.ok(rig.model.areLensesEqual)
  })

  test('EG1-14: a picture arrives whole on both arms, in black and white, the right way up', async () => {
    const rig = await connectedRig()
    assert.equal(await rig.during(rig.glasses.show({ kind: 'picture', picture: ramp() }), 3000), true)
    assert.ok(rig.model.areLensesEqual)
    const { kind, pixels } = rig.model.left.lens
    assert.equal(kind, 'picture')
    const share = (from: number, to: number, firstRow: number, lastRow: number) => {
      let light = 0
      for (let y = firstRow; y < lastRow; y++)
        for (let x = from; x < to; x++) light += pixels[y * 576 + x] ?? 0
      return light / ((to - from) * (lastRow - firstRow))
    }
    assert.ok(share(0, 8, 0, 8) > 0.9 && share(0, 8, 128, 136) < 0.1, 'the corner is at the top left')
    for (const middle of [100, 288, 476]) {
      const expected = middle / 576
      assert.ok(Math.abs(share(middle - 50, middle + 50, 10, 136) - expected) < 0.02, `shade at ${middle}`)
    }
  })

  test('EG1-14 PAGE-10: a small picture is centered, and a wrong checksum is refused by the glasses', async () => {
    const rig = await connectedRig()
    const { picture: area } = rig.glasses.screen
    assert.ok(area)
    const small = { width: 2, height: 2, pixels: Uint8Array.of(255, 255, 255, 255) }
    const picture = fitPicture(small, area.width, area.height)
    await rig.during(rig.glasses.show({ kind: 'picture', picture }), 3000)
    const lit = [...rig.model.right.lens.pixels.entries()]
      .filter(([, bit]) => bit === 1)
      .map(([index]) => index)
    assert.deepEqual(lit, [67 * 576 + 287, 67 * 576 + 288, 68 * 576 + 287, 68 * 576 + 288])
    Object.assign(rig.model.left.faults, { command: 0x16, refusals: 3 })
    assert.equal(await rig.during(rig.glasses.show({ kind: 'picture', picture: ramp() }), 4000), false)
    assert.deepEqual(rig.events.problems, ['The left arm refused command 16.'])
  })

  test('EG1-15: a newer page ends the transfer of a picture', async () => {
    const rig = await connectedRig()
    const picture = rig.glasses.show({ kind: 'picture', picture: ramp() })
    await rig.clock.advance(100)
    const startedAt = rig.clock.now()
    let tookMs = Number.POSITIVE_INFINITY
    void rig.glasses.show(textPage('newer')).then(() => {
      tookMs = rig.clock.now() - startedAt
    })
    assert.equal(await rig.during(picture, 1000), false)
    assert.ok(tookMs < 150, `${tookMs}`)
    assert.ok(rig.model.areLensesEqual)
    assert.deepEqual(rig.model.left.lens.lines, ['newer'])
  })

  test('EG1-15: a text removes a picture first, and a picture follows a text', async () => {
    const rig = await connectedRig()
    await rig.show('text')
    assert.equal(rig.model.left.received.get(0x18), undefined)
    await rig.during(rig.glasses.show({ kind: 'picture', picture: ramp() }), 3000)
    await rig.show('text again')
    await rig.show('and again')
    assert.deepEqual(
      rig.model.arms.map(({ received }) => received.get(0x18)),
      [1, 1],
    )
    assert.deepEqual(rig.model.right.lens.lines, ['and again'])
  })

  test('EG1-16: text is measured with the widths of the glyphs', async () => {
    const { glasses } = await connectedRig()
    const { measure, width, lines } = glasses.screen
    assert.deepEqual([lines, width], [5, 576])
    const cases: [string, number][] = [
      ['', 0],
      ['i', 4],
      ['m', 16],
      [' ', 6],
      ['-', 10],
      ['日', 18],
      ['あ', 18],
      ['ж', 18],
      ['말', 24],
      ['é', 16],
      ['👓', 16],
      ['Hello, world', 98],
    ]
    for (const [text, pixels] of cases) assert.equal(measure(text), pixels, text)
  })

  test('EG1-16 PAGE-14: characters that take no room have no width, and are not sent', async () => {
    const rig = await connectedRig()
    const { measure } = rig.glasses.screen
    const words = 'one two'
    const invisible = '\ufeff\u200b\u200c\u200d\u200e\u202e\u2060\u2066\u00ad\ufe0f\u034f\u{e0041}'
    const written = [...words].map((letter) => letter + invisible).join('')
    assert.equal(measure(written), measure(words))
    assert.deepEqual([measure('한국어'.normalize('NFD')), measure('e\u0301')], [72, 16])
    assert.equal(measure('ที่นี่'), measure('ทน'), 'marks are drawn over letters')
    await rig.show(written, '한국어'.normalize('NFD'), 'นี่'.repeat(36))
    assert.deepEqual(rig.model.left.lens.lines, [words, '한국어', 'นี่'.repeat(36)])
    assert.equal(rig.model.left.lens.overflows, 0)
  })

  test('EG1-16: as many characters fit into a line as the glasses can draw', async () => {
    const rig = await connectedRig()
    const { measure, width } = rig.glasses.screen
    const characters = Array.from({ length: 95 }, (_, index) => String.fromCharCode(0x20 + index)).slice(1)
    for (const character of [...characters, '日', 'ж', '말', 'é']) {
      const line = character.repeat(Math.floor(width / measure(character)))
      await rig.show(line)
      assert.deepEqual(rig.model.left.lens.lines, [line])
      assert.equal(rig.model.left.lens.overflows, 0)
      await rig.show(line + character)
      assert.equal(rig.model.left.lens.overflows, 1, `${character} is as wide as the model draws it`)
      rig.model.left.lens.overflows = 0
    }
  })
})
