import type { GreyPicture, Page } from '@glasses-cloud/phone/browser'
import { useEffect, useRef } from 'react'
import styles from './G1Lens.module.css'
import { myGlassesTexts } from './my-glasses.texts.ts'

const texts = myGlassesTexts.lens

/** What the lens shows: the lines that were sent to both arms, or a picture. */
export function G1Lens({ page }: { readonly page: Page }) {
  return (
    <section className={styles.frame} aria-label={texts.label}>
      <div className={styles.lens} aria-live="polite">
        {page.kind === 'text' && <pre className={styles.text}>{page.lines.join('\n')}</pre>}
        {page.kind === 'picture' && <Picture picture={page.picture} />}
        {page.kind === 'blank' && <p className={styles.empty}>{texts.empty}</p>}
      </div>
      {page.kind === 'text' && page.total > 1 && (
        <p className={styles.number}>{texts.page(page.number, page.total)}</p>
      )}
    </section>
  )
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
      aria-label={texts.picture}
    />
  )
}
