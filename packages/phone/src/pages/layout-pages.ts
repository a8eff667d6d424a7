import { cutText, type Layout } from '@glasses-cloud/contract'
import { base64 } from '@scure/base'
import type { GreyPicture, Page, Screen } from '../adapter/glasses-adapter.ts'
import { decodeBmp, PictureError } from '../pictures/bmp.ts'
import { fitPicture } from '../pictures/fit-picture.ts'
import { breakLines } from './break-lines.ts'
import { cleanText } from './clean-text.ts'

/** Spaces between the columns. */
const GAP = 2

/** Breaks two texts into columns of half the width. Spaces fill the left column, as displays have no tabulators. */
function breakColumns(left: string, right: string, screen: Screen): string[] {
  const { width, measure } = screen
  const space = Math.max(1, measure(' '))
  const columnWidth = Math.floor((width - GAP * space) / 2)
  const rightStart = columnWidth + GAP * space
  const leftLines = breakLines(left, columnWidth, measure)
  const rightLines = breakLines(right, columnWidth, measure)
  return Array.from({ length: Math.max(leftLines.length, rightLines.length) }, (_, row) => {
    const leftLine = leftLines[row] ?? ''
    const spaces = Math.max(0, Math.floor((rightStart - measure(leftLine)) / space))
    return (leftLine + ' '.repeat(spaces) + (rightLines[row] ?? '')).trimEnd()
  })
}

/** Bounds of a layout; what exceeds them is cut. The text as received may be longer: it is composed first. */
const MAX_TEXT_LENGTH = 5_000
const MAX_RECEIVED_LENGTH = 4 * MAX_TEXT_LENGTH
const MAX_PAGES = 100

/** Longest Base64 text of a picture (app-socket.md). */
const MAX_PICTURE_LENGTH = 1_000_000

/**
 * Makes the pages of a layout, at least one. A text with more lines than the screen has several pages.
 * @param fill replaces the placeholders of a text
 * @returns undefined for layouts that phones do not draw (glasses-socket.md §2.3.1)
 * @throws {PictureError} if the picture is invalid
 */
export function layoutPages(
  layout: Layout,
  screen: Screen,
  fill: (text: string) => string = (text) => text,
): readonly Page[] | undefined {
  const broken = (text: string) => breakLines(prepare(text), screen.width, screen.measure)
  const prepare = (text: string) =>
    cutText(cleanText(fill(cutText(text, MAX_RECEIVED_LENGTH))), MAX_TEXT_LENGTH)
  switch (layout.layoutType) {
    case 'text_wall':
      return textPages(broken(layout.text), screen)
    case 'double_text_wall':
      return textPages(breakColumns(prepare(layout.topText), prepare(layout.bottomText), screen), screen)
    case 'reference_card':
      return textPages([...broken(layout.title), '', ...broken(layout.text)], screen)
    case 'bitmap_view':
      return picturePages(layout.data, screen)
    case 'clear_view':
      return [{ kind: 'blank' }]
    default:
      return undefined
  }
}

function textPages(allLines: readonly string[], screen: Screen): readonly Page[] {
  const lines = allLines.slice(0, MAX_PAGES * screen.lines)
  while (lines.at(-1) === '') lines.pop()
  const total = Math.ceil(lines.length / screen.lines)
  if (total === 0) return [{ kind: 'blank' }]
  return Array.from({ length: total }, (_, index) => ({
    kind: 'text',
    lines: lines.slice(index * screen.lines, (index + 1) * screen.lines),
    number: index + 1,
    total,
  }))
}

/** The picture in the size of the picture area; a screen without one shows the size of the file instead. */
function picturePages(data: string, screen: Screen): readonly Page[] {
  const area = screen.picture
  const bytes = decodeBase64(data)
  if (!area) {
    const description = `[picture, ${bytes.length} bytes]`
    return textPages(breakLines(description, screen.width, screen.measure), screen)
  }
  const picture: GreyPicture = fitPicture(decodeBmp(bytes), area.width, area.height)
  return [{ kind: 'picture', picture }]
}

function decodeBase64(data: string): Uint8Array {
  if (data.length > MAX_PICTURE_LENGTH)
    throw new PictureError(`The picture is longer than ${MAX_PICTURE_LENGTH} characters`)
  try {
    return base64.decode(data)
  } catch {
    throw new PictureError('The picture is not valid Base64')
  }
}
