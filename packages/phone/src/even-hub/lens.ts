import type { GreyPicture } from '../adapter/page.ts'
import { dither } from '../pictures/dither.ts'
import type { ImageContainer, ImageUpdate, PageContainers, TextContainer, TextUpdate } from './bridge.ts'

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
  return {
    upper: lines.slice(0, LINES_PER_HALF).join('\n') || ' ',
    lower: lines.slice(LINES_PER_HALF).join('\n') || ' ',
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
