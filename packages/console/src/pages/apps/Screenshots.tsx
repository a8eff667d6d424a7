import { isOwnUrl } from '../../own-url.ts'
import styles from './Screenshots.module.css'

/** The screenshots of an app, in a row that scrolls. Those on other servers are left out. */
export function Screenshots({ urls, name }: { readonly urls: readonly string[]; readonly name: string }) {
  const own = urls.filter(isOwnUrl)
  if (own.length === 0) return null
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it, the row cannot be scrolled with the keyboard
    <section className={styles.row} aria-label="Screenshots" tabIndex={0}>
      {own.map((url, index) => (
        <img key={url} src={url} alt={`Screenshot ${index + 1} of ${name}`} loading="lazy" decoding="async" />
      ))}
    </section>
  )
}
