import type { Page } from '../adapter/page.ts'

/** Whether two pages look the same, so that glasses that show one need not be sent the other. */
export function isSamePage(a: Page, b: Page): boolean {
  if (a.kind === 'picture' && b.kind === 'picture')
    return (
      a.picture.width === b.picture.width &&
      a.picture.pixels.length === b.picture.pixels.length &&
      a.picture.pixels.every((pixel, index) => pixel === b.picture.pixels[index])
    )
  if (a.kind === 'text' && b.kind === 'text')
    return a.number === b.number && a.total === b.total && a.lines.join('\n') === b.lines.join('\n')
  return a.kind === b.kind
}
