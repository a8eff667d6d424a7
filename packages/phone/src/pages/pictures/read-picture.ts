import type { GreyPicture } from '../../adapter/page.ts'
import { fitPicture } from './fit-picture.ts'
import { readBitmap } from './read-bitmap.ts'

/** Longest Base64 text that is decoded; apps may send 1,000,000 characters. */
const MAX_LENGTH = 1_000_000

/** Reads the Base64 BMP of a `bitmap_view` for an area; undefined if it is not a picture that can be shown. */
export function readPicture(
  base64: string,
  area: { readonly width: number; readonly height: number },
): GreyPicture | undefined {
  if (base64.length > MAX_LENGTH) return undefined
  try {
    const file = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
    return fitPicture(readBitmap(file), area)
  } catch {
    // The screen shows a description of it instead.
    return undefined
  }
}
