import type { GreyPicture, Page, Screen } from '@glasses-cloud/phone/browser'
import { type CSSProperties, useEffect, useRef } from 'react'
import { Button } from '../../components/Button.tsx'
import styles from './RealLens.module.css'

/** Size of a font whose letters are about as wide as those of the glasses, in widths of its `n`. */
const FONT_SIZE_OF_N = 1.4

export interface RealLensProps {
  readonly page: Page
  /** The display of the glasses; undefined until they are being connected. */
  readonly screen: Screen | undefined
  /** Whether taps on the temples turn the pages of a long text. */
  readonly turnsByTap: boolean
  readonly onTurn: (direction: 'next' | 'previous') => void
}

/** What the lens shows: the lines that were sent to the glasses, or a picture. */
export function RealLens({ page, screen, turnsByTap, onTurn }: RealLensProps) {
  return (
    <section className={styles.frame} aria-label="Lens" style={screen && geometryOf(screen)}>
      <div className={styles.lens} aria-live="polite">
        {page.kind === 'text' && <pre className={styles.text}>{page.lines.join('\n')}</pre>}
        {page.kind === 'picture' && <Picture picture={page.picture} />}
        {page.kind === 'blank' && (
          <p className={styles.empty}>The lens is empty. Start an app to see something.</p>
        )}
      </div>
      {page.kind === 'text' && page.total > 1 && (
        <div className={styles.pages}>
          <Button isDisabled={page.number === 1} onPress={() => onTurn('previous')}>
            Previous page
          </Button>
          <p className={styles.number}>
            Page {page.number} of {page.total}
            {turnsByTap && ': tap the right temple for the next one'}
          </p>
          <Button isDisabled={page.number === page.total} onPress={() => onTurn('next')}>
            Next page
          </Button>
        </div>
      )}
    </section>
  )
}

/** The proportions of a display, its lines, and the size of letters in per cent of its width. */
function geometryOf({ picture, lines, width, measure }: Screen): CSSProperties | undefined {
  if (picture === undefined) return undefined
  return {
    '--lens-width': picture.width,
    '--lens-height': picture.height,
    '--lens-lines': lines,
    '--lens-font': (100 * FONT_SIZE_OF_N * measure('n')) / width,
  } as CSSProperties
}

function Picture({ picture: { width, height, pixels } }: { readonly picture: GreyPicture }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const image = new ImageData(width, height)
    // Bright pixels are lit in the color of the display.
    for (const [index, brightness] of pixels.entries())
      image.data.set([0x7d, 0xff, 0x9a, brightness], index * 4)
    canvas.current?.getContext('2d')?.putImageData(image, 0, 0)
  }, [width, height, pixels])
  return (
    <canvas
      ref={canvas}
      className={styles.picture}
      width={width}
      height={height}
      role="img"
      aria-label="A picture"
    />
  )
}
