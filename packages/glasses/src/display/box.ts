import type { DisplaySize } from './draw-layout.ts'
import { pad } from './text.ts'

/** Draws lines of a lens in a frame: `size.height + 2` lines of `size.width + 4` columns each. */
export function drawBox(lines: readonly string[], size: DisplaySize): string[] {
  const edge = '─'.repeat(size.width + 2)
  const rows = Array.from({ length: size.height }, (_, at) => `│ ${pad(lines[at] ?? '', size.width)} │`)
  return [`╭${edge}╮`, ...rows, `╰${edge}╯`]
}
