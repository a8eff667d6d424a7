import styles from './SkipLink.module.css'

export interface SkipLinkProps {
  /** The id of an element that can have the focus (`tabIndex={-1}`). */
  readonly target: string
  readonly children: string
}

/** A link that appears when the keyboard reaches it, and leads past what follows. */
export function SkipLink({ target, children }: SkipLinkProps) {
  return (
    <a
      href={`#${target}`}
      className={styles.skip}
      // The address stays: the target is no page of the history.
      onClick={(event) => {
        event.preventDefault()
        const element = document.getElementById(target)
        element?.focus({ preventScroll: true })
        element?.scrollIntoView({ block: 'start' })
      }}
    >
      {children}
    </a>
  )
}
