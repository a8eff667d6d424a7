import stringWidth from 'string-width'

/** Pads a line with spaces to `width` columns; wide characters count as two. */
export function pad(line: string, width: number): string {
  return line + ' '.repeat(Math.max(0, width - stringWidth(line)))
}
