import type { GreyPicture } from '../adapter/glasses-adapter.ts'
import { sumWidths } from '../pages/break-lines.ts'
import { drawnText } from '../pages/clean-text.ts'
import { dither } from '../pictures/fit-picture.ts'
import type { ImageContainer, ImageUpdate, PageContainers, TextContainer, TextUpdate } from './bridge.ts'

/** Widths in pixels, one digit of base 36 per character, measured on the lens of the maker's simulator 0.9.5. */
const ASCII =
  '546ecef4668a5a55c7bccccccc45aaachdcbcaacc58c9gcccccbacdgddc757a94bbaba7bb5594gbabb7a6bbfbb9848g'
const CYRILLIC = 'dddafchceedegdedddcdgddcghfgddhdccc9cbdbccacecbbcbbbdbccefdecbeb'

const FIRST_ASCII = 0x20
const FIRST_CYRILLIC = 0x410

const HANGUL = 18
/** Letters with a mark are as wide as the letter; of narrow ones a line could have more bytes than fit a container. */
const NARROWEST_WITH_MARK = 9
const OTHER_LATIN = 17
/** The glyphs of Chinese and Japanese, and the widest of all others that were measured. */
const WIDE = 20
const BEYOND_THE_FIRST_PLANE = 24

/** Width of a text in one line on the lens of an Even G2, in pixels of 576, without kerning. */
export function measureText(text: string): number {
  return sumWidths(text, characterWidth)
}

function characterWidth(character: string): number {
  const code = character.codePointAt(0) ?? 0
  const digit = ASCII[code - FIRST_ASCII] ?? CYRILLIC[code - FIRST_CYRILLIC]
  if (digit !== undefined) return Number.parseInt(digit, 36)
  if (code > 0xffff) return BEYOND_THE_FIRST_PLANE
  if (/\p{Script=Hangul}/u.test(character)) return HANGUL
  return /\p{Script=Latin}/u.test(character) ? latinWidth(character) : WIDE
}

function latinWidth(character: string): number {
  const letter = character.normalize('NFD').codePointAt(0) ?? 0
  const digit = ASCII[letter - FIRST_ASCII]
  return digit === undefined ? OTHER_LATIN : Math.max(NARROWEST_WITH_MARK, Number.parseInt(digit, 36))
}

export const LENS_WIDTH = 576
export const LENS_HEIGHT = 288

/** The maker's SDK documents a height of 27 pixels for a line. */
const LINE_HEIGHT = 27
const LINES_PER_HALF = 5
export const LENS_LINES = 2 * LINES_PER_HALF

const GREY_STEP = 17

/**
 * Two containers of five lines each: a full page of text is longer than the 999 bytes of one container, and a change of
 * the last lines does not send the first ones again.
 */
export const HALVES = ['upper', 'lower'] as const
export type Half = (typeof HALVES)[number]

/** Four containers for a picture, each as large as one may be. */
export const TILES = [0, 1, 2, 3] as const
const TILE_WIDTH = LENS_WIDTH / 2
const TILE_HEIGHT = LENS_HEIGHT / 2

/** The text of each half. A container cannot be empty. */
export function halvesOf(lines: readonly string[]): Readonly<Record<Half, string>> {
  const drawn = lines.map(drawnText)
  return {
    upper: drawn.slice(0, LINES_PER_HALF).join('\n') || ' ',
    lower: drawn.slice(LINES_PER_HALF).join('\n') || ' ',
  }
}

/** A page of text. */
export function textContainers(content: Readonly<Record<Half, string>>): PageContainers {
  const textObject = HALVES.map((half, index) => ({
    ...textContainer(half, index + 1, content[half]),
    yPosition: index * LINES_PER_HALF * LINE_HEIGHT,
    height: LINES_PER_HALF * LINE_HEIGHT,
    isEventCapture: index === 0 ? 1 : 0,
  }))
  return { containerTotalNum: textObject.length, textObject }
}

export function textUpdate(half: Half, content: string): TextUpdate {
  const containerID = HALVES.indexOf(half) + 1
  return { containerID, containerName: half, contentOffset: 0, contentLength: 0, content }
}

/** A page for a picture: dark tiles, behind them a container for the gestures, which image containers do not get. */
export function pictureContainers(): PageContainers {
  const imageObject = TILES.map(
    (tile): ImageContainer => ({
      xPosition: (tile % 2) * TILE_WIDTH,
      yPosition: Math.floor(tile / 2) * TILE_HEIGHT,
      width: TILE_WIDTH,
      height: TILE_HEIGHT,
      ...tileName(tile),
    }),
  )
  const textObject = [textContainer('gestures', TILES.length + 1, ' ')]
  return { containerTotalNum: imageObject.length + textObject.length, textObject, imageObject }
}

export function tileUpdate(tile: number, imageData: Uint8Array): ImageUpdate {
  return { ...tileName(tile), imageData }
}

/** The pixels of each tile, in the 16 greys of the lens. */
export function tilesOf(picture: GreyPicture): Uint8Array[] {
  const shades = dither(picture, 16)
  return TILES.map((tile) => {
    const [left, top] = [(tile % 2) * TILE_WIDTH, Math.floor(tile / 2) * TILE_HEIGHT]
    return Uint8Array.from({ length: TILE_WIDTH * TILE_HEIGHT }, (_, index) => {
      const [x, y] = [left + (index % TILE_WIDTH), top + Math.floor(index / TILE_WIDTH)]
      return (shades[y * picture.width + x] ?? 0) * GREY_STEP
    })
  })
}

function tileName(tile: number): Pick<ImageContainer, 'containerID' | 'containerName'> {
  return { containerID: tile + 1, containerName: `tile-${tile}` }
}

function textContainer(containerName: string, containerID: number, content: string): TextContainer {
  return {
    xPosition: 0,
    yPosition: 0,
    width: LENS_WIDTH,
    height: LENS_HEIGHT,
    paddingLength: 0,
    borderWidth: 0,
    containerID,
    containerName,
    isEventCapture: 1,
    content,
  }
}
