import type { Page } from '../adapter/page.ts'

/** Whether two pages show the same on the lens, with the same number of pages. */
export function isSamePage(page: Page, other: Page | undefined): boolean {
  if (page.kind === 'text') {
    return (
      other?.kind === 'text' &&
      page.number === other.number &&
      page.total === other.total &&
      isSameList(page.lines, other.lines)
    )
  }
  if (page.kind === 'picture') {
    return (
      other?.kind === 'picture' &&
      page.picture.width === other.picture.width &&
      isSameList(page.picture.pixels, other.picture.pixels)
    )
  }
  return other?.kind === 'blank'
}

function isSameList<Item>(list: ArrayLike<Item>, other: ArrayLike<Item>): boolean {
  if (list.length !== other.length) return false
  for (let index = 0; index < list.length; index++) if (list[index] !== other[index]) return false
  return true
}
