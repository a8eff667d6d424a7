import { findCapabilities } from '@glasses-cloud/contract'
import type { DisplaySize } from '@glasses-cloud/phone/browser'

/** The lens of a model. */
export interface Lens {
  /** Pixels. */
  readonly width: number
  readonly height: number
  readonly text: DisplaySize
  readonly isColor: boolean
  readonly canShowPictures: boolean
}

/** Width of a column of text: phones draw 44 columns on 640 pixels. */
const COLUMN_PIXELS = 640 / 44

const DEFAULT_LINES = 7

/** The lens of a model as its device profile describes it; undefined for glasses without one. */
export function lensOf(model: string): Lens | undefined {
  const capabilities = findCapabilities(model)
  if (capabilities?.hasDisplay === false) return undefined
  const display = capabilities?.display
  // Where both are known, `width` and `height` are what apps can draw on.
  const width = display?.width ?? display?.resolution?.width ?? 640
  const height = display?.height ?? display?.resolution?.height ?? 480
  return {
    width,
    height,
    text: { width: Math.floor(width / COLUMN_PIXELS), height: display?.maxTextLines ?? DEFAULT_LINES },
    isColor: display?.isColor ?? false,
    canShowPictures: display?.canDisplayBitmap ?? false,
  }
}
