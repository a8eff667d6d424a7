import type { Screen } from '../adapter/page.ts'
import { breakLines } from './break-lines.ts'

/** Spaces between the columns. */
const GAP = 2

/** Breaks two texts into columns of half the width. Spaces fill the left column, as displays have no tabulators. */
export function breakColumns(left: string, right: string, screen: Screen): string[] {
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
