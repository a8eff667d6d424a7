import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { GreyPicture } from '../../src/adapter/glasses-adapter.ts'
import { dither, fitPicture } from '../../src/pictures/fit-picture.ts'

const evenPicture = (grey: number): GreyPicture => ({
  width: 64,
  height: 64,
  pixels: new Uint8Array(64 * 64).fill(grey),
})
const meanOf = (values: Uint8Array) => values.reduce((sum, value) => sum + value, 0) / values.length

test('PAGE-10: a larger picture is reduced without distortion and centered', () => {
  const picture = { width: 4, height: 2, pixels: Uint8Array.of(0, 100, 200, 200, 100, 200, 200, 200) }
  assert.deepEqual(fitPicture(picture, 2, 3), {
    width: 2,
    height: 3,
    pixels: Uint8Array.of(0, 0, 100, 200, 0, 0),
  })
  const line = { width: 9, height: 1, pixels: new Uint8Array(9).fill(90) }
  assert.deepEqual([...fitPicture(line, 3, 1).pixels], [90, 90, 90])
})

test('PAGE-13: two shades keep black, white and the mean brightness', () => {
  assert.equal(meanOf(dither(evenPicture(0), 2)), 0)
  assert.equal(meanOf(dither(evenPicture(255), 2)), 1)
  for (const grey of [32, 64, 128, 200]) {
    const mean = meanOf(dither(evenPicture(grey), 2))
    assert.ok(Math.abs(mean - grey / 255) < 0.02, `${grey} became ${mean}`)
  }
})

test('PAGE-13: sixteen shades keep exact shades and the mean brightness', () => {
  const ramp = { width: 16, height: 1, pixels: Uint8Array.from({ length: 16 }, (_, shade) => shade * 17) }
  assert.deepEqual(
    [...dither(ramp, 16)],
    Array.from({ length: 16 }, (_, shade) => shade),
  )
  const mean = meanOf(dither(evenPicture(125), 16))
  assert.ok(Math.abs(mean - 125 / 17) < 0.05, `became ${mean}`)
})

test('PAGE-10: a smaller picture keeps its size', () => {
  const dot = { width: 1, height: 1, pixels: Uint8Array.of(90) }
  assert.deepEqual([...fitPicture(dot, 3, 3).pixels], [0, 0, 0, 0, 90, 0, 0, 0, 0])
})
