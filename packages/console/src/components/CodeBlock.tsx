import styles from './CodeBlock.module.css'
import { CopyButton } from './CopyButton.tsx'

export interface CodeBlockProps {
  /** What it is, such as the name of a file. */
  readonly label: string
  readonly code: string
}

/** Code or commands to copy. */
export function CodeBlock({ label, code }: CodeBlockProps) {
  return (
    <figure className={styles.block}>
      <figcaption className={styles.caption}>
        <span>{label}</span>
        <CopyButton text={code} label={label} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable with the keyboard */}
      <pre className={styles.code} tabIndex={0}>
        <code>{code}</code>
      </pre>
    </figure>
  )
}
