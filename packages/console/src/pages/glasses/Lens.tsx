import type { LedCommand } from '@glasses-cloud/glasses/browser'
import type { CSSProperties } from 'react'
import { type Lens as LensSize, lensOf } from '../../simulator/lens-size.ts'
import type { SimulatorState } from '../../simulator/simulator.ts'
import { Bitmap } from './Bitmap.tsx'
import styles from './Lens.module.css'

const texts = { views: { main: 'Main view', dashboard: 'Dashboard' } } as const

export interface LensProps {
  readonly model: string
  readonly display: SimulatorState['display']
  readonly led: LedCommand | undefined
}

/** The glasses from inside: the LED on the frame, and the lens in the proportions and with the lines of the device. */
export function Lens({ model, display, led }: LensProps) {
  const lens = lensOf(model)
  return (
    <section className={styles.frame} aria-label="Lens">
      <p className={styles.top}>
        <span>{lens === undefined ? 'These glasses have no display.' : texts.views[display.view]}</span>
        <Led led={led} />
      </p>
      {lens !== undefined && (
        <>
          <div
            className={`${styles.lens} ${lens.isColor ? styles.color : styles.green}`}
            style={sizeOf(lens)}
            aria-live="polite"
          >
            <Content display={display} lens={lens} />
          </div>
          <p className={styles.size}>
            {`${lens.width} × ${lens.height} pixels, ${lens.text.height} lines of about ${lens.text.width} characters`}
          </p>
        </>
      )}
    </section>
  )
}

function sizeOf({ width, height, text }: LensSize): CSSProperties {
  return {
    '--width': width,
    '--height': height,
    '--columns': text.width,
    '--lines': text.height,
  } as CSSProperties
}

function Content({ display, lens }: Pick<LensProps, 'display'> & { readonly lens: LensSize }) {
  const { layout, lines } = display
  if (layout.layoutType === 'bitmap_view') {
    if (!lens.canShowPictures)
      return <p className={styles.message}>An app shows a picture. These glasses cannot.</p>
    return <Bitmap data={layout.data} label="Picture on the lens" />
  }
  if (lines.length === 0) return <span className="visually-hidden">The lens is empty</span>
  return <pre className={styles.text}>{lines.join('\n')}</pre>
}

/** The LED, which blinks as the app wants; the words say its color only. */
function Led({ led }: Pick<LensProps, 'led'>) {
  const style =
    led === undefined
      ? undefined
      : ({
          '--led': led.color,
          '--led-on': `${led.ontime + led.offtime}ms`,
          animationIterationCount: led.count,
        } as CSSProperties)
  const blinks = led !== undefined && led.offtime > 0
  return (
    <span role="status" className={styles.status}>
      <span
        aria-hidden
        className={`${styles.led} ${led === undefined ? '' : styles.on} ${blinks ? styles.blinking : ''}`}
        {...(style !== undefined && { style })}
      />
      {led === undefined ? 'The LED is off' : `The LED is ${led.color}`}
    </span>
  )
}
