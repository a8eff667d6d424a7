import type { DisplaySize } from './display-size.ts'
import { pad } from './text.ts'

/** Draws display lines inside a box: `size.height + 2` lines of `size.width + 4` columns. */
export function drawBox(lines: readonly string[], size: DisplaySize): string[] {
  const edge = '─'.repeat(size.width + 2)
  const rows = Array.from({ length: size.height }, (_, index) => `│ ${pad(lines[index] ?? '', size.width)} │`)
  return [`╭${edge}╮`, ...rows, `╰${edge}╯`]
}
