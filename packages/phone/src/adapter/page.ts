/** What the lens shows. The phone core makes pages of the layouts of apps; adapters draw them and break no lines. */
export type Page =
  | TextPage
  /** A picture that fills the picture area of the screen. */
  | { readonly kind: 'picture'; readonly picture: GreyPicture }
  | { readonly kind: 'blank' }

/** A page of text. Every line fits the width of the screen, and there are at most as many lines as the screen has. */
export interface TextPage {
  readonly kind: 'text'
  readonly lines: readonly string[]
  /** Number of this page of a long text, from 1. */
  readonly number: number
  /** Pages of the text. */
  readonly total: number
}

/** A picture of grey pixels. */
export interface GreyPicture {
  readonly width: number
  readonly height: number
  /** Rows from the top, one byte per pixel: 0 is dark (nothing is shown), 255 is bright. */
  readonly pixels: Uint8Array
}

/** What a display can show. */
export interface Screen {
  /** Lines of a page of text. */
  readonly lines: number
  /** Width of a line, in the unit of `measure`: pixels of the device, or columns of a terminal. */
  readonly width: number
  /** Width of a text in one line, by the glyphs of the device: at most the sum of the widths of its parts. */
  measure(text: string): number
  /** The area and the shades of pictures; undefined if the device shows none. */
  readonly picture?: { readonly width: number; readonly height: number; readonly shades: 2 | 16 }
}
