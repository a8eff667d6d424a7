import { useState } from 'react'
import { isOwnUrl } from '../../own-url.ts'
import styles from './AppLogo.module.css'

/**
 * The logo of an app, or its first letter if there is none, it cannot be loaded, or it is on another server: the console
 * loads nothing from other hosts.
 */
export function AppLogo({ url, name }: { readonly url: string; readonly name: string }) {
  const [failed, setFailed] = useState(false)
  if (failed || !isOwnUrl(url)) {
    return (
      <span className={styles.letter} aria-hidden>
        {name.slice(0, 1).toUpperCase()}
      </span>
    )
  }
  return (
    <img
      className={styles.logo}
      src={url}
      alt=""
      width="48"
      height="48"
      loading="lazy"
      onError={() => setFailed(true)}
    />
  )
}
