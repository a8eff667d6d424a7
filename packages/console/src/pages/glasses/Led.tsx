import type { LedCommand } from '@glasses-cloud/phone/browser'
import type { CSSProperties } from 'react'
import styles from './Lens.module.css'

/** The LED, which blinks as the app wants; the words say its color only. */
export function Led({ led }: { readonly led: LedCommand | undefined }) {
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
