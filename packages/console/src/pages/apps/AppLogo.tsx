import { firstCharacter } from '@glasses-cloud/contract'
import { useState } from 'react'
import { isOwnUrl } from '../../own-url.ts'
import styles from './AppLogo.module.css'

export interface AppLogoProps {
  readonly url: string
  readonly name: string
  readonly size?: 'small' | 'large'
}

/**
 * The logo of an app, or its first letter if there is none, it cannot be loaded, or it is on another server: the console
 * loads nothing from other hosts.
 */
export function AppLogo({ url, name, size = 'small' }: AppLogoProps) {
  const [failed, setFailed] = useState(false)
  if (failed || !isOwnUrl(url)) {
    return (
      <span className={`${styles.letter} ${styles[size]}`} aria-hidden>
        {firstCharacter(name).toUpperCase()}
      </span>
    )
  }
  return (
    <img
      className={`${styles.logo} ${styles[size]}`}
      src={url}
      alt=""
      decoding="async"
      loading="lazy"
      onError={() => setFailed(true)}
    />
  )
}
