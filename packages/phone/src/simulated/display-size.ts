/** Columns and lines of a simulated display. */
export interface DisplaySize {
  readonly width: number
  readonly height: number
}

/** 44 columns and 7 lines, roughly what a phone draws on a 640 × 480 display. */
export const DEFAULT_DISPLAY_SIZE: DisplaySize = { width: 44, height: 7 }
