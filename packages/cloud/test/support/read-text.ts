import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { PNG } from 'pngjs'
import { inheritedEnv } from './inherited-env.ts'

/** An area of an image, in pixels. */
export interface Area {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Small letters are recognized better when they are enlarged, with some space around them. */
const SCALE = 3
const MARGIN = 10

/**
 * Reads bright text on a transparent ground with `tesseract`.
 * @param letters the only ones that may occur, in one line; any by default, in lines
 */
export async function readText(png: Buffer, area: Area, letters?: string): Promise<string> {
  const limits =
    letters === undefined ? ['--psm', '6'] : ['--psm', '7', '-c', `tessedit_char_whitelist=${letters}`]
  const program = spawn('tesseract', ['stdin', 'stdout', ...limits], {
    env: { ...inheritedEnv(), OMP_THREAD_LIMIT: '1' },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  program.stdin.end(darkOnWhite(PNG.sync.read(png), area))
  return text(program.stdout)
}

/** An image as PGM, enlarged with soft edges: the more opaque a pixel, the darker. */
function darkOnWhite(image: PNG, area: Area): Buffer {
  const [columns, rows] = [(area.width + 2 * MARGIN) * SCALE, (area.height + 2 * MARGIN) * SCALE]
  const opacity = (x: number, y: number) => {
    if (x < 0 || y < 0 || x >= area.width || y >= area.height) return 0
    return image.data[((area.y + y) * image.width + area.x + x) * 4 + 3] ?? 0
  }
  const pixels = Buffer.alloc(columns * rows)
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      const [x, y] = [(column + 0.5) / SCALE - MARGIN - 0.5, (row + 0.5) / SCALE - MARGIN - 0.5]
      const [left, top] = [Math.floor(x), Math.floor(y)]
      const [right, below] = [x - left, y - top]
      const upper = opacity(left, top) * (1 - right) + opacity(left + 1, top) * right
      const lower = opacity(left, top + 1) * (1 - right) + opacity(left + 1, top + 1) * right
      pixels[row * columns + column] = 255 - Math.round(upper * (1 - below) + lower * below)
    }
  return Buffer.concat([Buffer.from(`P5 ${columns} ${rows} 255\n`), pixels])
}
