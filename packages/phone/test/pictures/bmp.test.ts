import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decodeBmp, PictureError } from '../../src/pictures/bmp.ts'
import { bmp } from '../support/bmp.ts'

const pixelsOf = (file: Uint8Array) => [...decodeBmp(file).pixels]

test('PAGE-11: 1, 4, 8 and 24 bits, from the bottom and from the top', () => {
  const rows = [
    [1, 0, 1],
    [0, 0, 1],
  ]
  const expected = [255, 0, 255, 0, 0, 255]
  for (const bits of [1, 4, 8])
    for (const isTopDown of [false, true])
      assert.deepEqual(pixelsOf(bmp({ bits, rows, isTopDown })), expected, `${bits} bits`)
  const grey = [
    [10, 20, 30],
    [40, 50, 60],
  ]
  assert.deepEqual(pixelsOf(bmp({ bits: 24, rows: grey })), grey.flat())
})

test('PAGE-11: colors become grey by their brightness', () => {
  const palette = [
    [255, 0, 0],
    [0, 255, 0],
    [0, 0, 255],
  ] as const
  assert.deepEqual(pixelsOf(bmp({ bits: 4, rows: [[0, 1, 2, 3]], palette })), [76, 150, 29, 0])
})

test('PAGE-11: the header of OS/2', () => {
  const file = Buffer.alloc(26 + 6 + 4)
  file.write('BM')
  file.writeUInt32LE(32, 10)
  file.writeUInt32LE(12, 14)
  for (const [index, value] of [2, 1, 1, 1].entries()) file.writeUInt16LE(value, 18 + index * 2)
  file.set([255, 255, 255, 0, 0, 0], 26)
  file[32] = 0b0100_0000
  assert.deepEqual(decodeBmp(file), { width: 2, height: 1, pixels: Uint8Array.of(255, 0) })
})

test('PAGE-12: hostile and unsupported files are refused with the reason', () => {
  const changed = (change: (file: Buffer) => void) => {
    const file = bmp({ bits: 1, rows: [[1, 0]] })
    change(file)
    return file
  }
  const cases: [RegExp, Uint8Array][] = [
    [/too short/, Buffer.from('BM')],
    [/not a BMP file/, changed((file) => file.write('PNG'))],
    [/headers of 39 bytes/, changed((file) => file.writeUInt32LE(39, 14))],
    [/ends within its header/, changed((file) => file.writeUInt32LE(0xffff_ffff, 14))],
    [/0 × 1 pixels/, changed((file) => file.writeInt32LE(0, 18))],
    [/-2 × 1 pixels/, changed((file) => file.writeInt32LE(-2, 18))],
    [/16 bits per pixel/, changed((file) => file.writeUInt16LE(16, 28))],
    [/Compressed/, changed((file) => file.writeUInt32LE(1, 30))],
    [/not within the file/, changed((file) => file.writeInt32LE(0x7fff_ffff, 18))],
    [/not within the file/, changed((file) => file.writeInt32LE(-0x8000_0000, 22))],
    [/not within the file/, changed((file) => file.writeUInt32LE(0xffff_ffff, 10))],
    [/not within the file/, changed((file) => file.writeUInt32LE(0, 10))],
    [/palette .* incomplete/, changed((file) => file.writeUInt16LE(8, 28) && file.writeUInt32LE(0, 46))],
    [/larger than/, Buffer.alloc(1024 * 1024 + 1)],
  ]
  for (const [reason, file] of cases)
    assert.throws(
      () => decodeBmp(file),
      (error) => error instanceof PictureError && reason.test(error.message),
      `${reason}`,
    )
})

test('PAGE-12: any change of any bytes is decoded or refused', () => {
  const file = bmp({ bits: 4, rows: [[1, 0, 1]] })
  const change = fc.tuple(fc.nat(file.length - 1), fc.nat(255))
  fc.assert(
    fc.property(fc.array(change, { maxLength: 6 }), fc.nat(file.length), (changes, length) => {
      const broken = Uint8Array.from(file.subarray(0, length))
      for (const [index, value] of changes) if (index < length) broken[index] = value
      try {
        const { width, height, pixels } = decodeBmp(broken)
        assert.equal(pixels.length, width * height)
        assert.ok(pixels.length <= file.length * 8)
      } catch (error) {
        assert.ok(error instanceof PictureError, String(error))
      }
    }),
  )
})
