import stringWidth from 'string-width'
import type { DisplaySize } from './simulated-glasses.ts'

/** Pads a line with spaces to `width` columns; wide characters count as two. */
export function pad(line: string, width: number): string {
  return line + ' '.repeat(Math.max(0, width - stringWidth(line)))
}

/** Draws display lines inside a box: `size.height + 2` lines of `size.width + 4` columns. */
export function drawBox(lines: readonly string[], size: DisplaySize): string[] {
  const edge = '─'.repeat(size.width + 2)
  const rows = Array.from({ length: size.height }, (_, index) => `│ ${pad(lines[index] ?? '', size.width)} │`)
  return [`╭${edge}╮`, ...rows, `╰${edge}╯`]
}
