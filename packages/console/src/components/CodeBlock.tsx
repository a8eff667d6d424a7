import { useRef } from 'react'
import styles from './CodeBlock.module.css'
import { CopyButton } from './CopyField.tsx'
import { useOverflow } from './use-overflow.ts'

export interface CodeBlockProps {
  /** What it is, such as the name of a file. */
  readonly label: string
  readonly code: string
}

/** Code or commands to copy. */
export function CodeBlock({ label, code }: CodeBlockProps) {
  const frame = useRef<HTMLPreElement>(null)
  const isScrolled = useOverflow(frame)
  return (
    <figure className={styles.block}>
      <figcaption className={styles.caption}>
        <span>{label}</span>
        <CopyButton text={code} label={label} />
      </figcaption>
      <pre className={styles.code} ref={frame} {...(isScrolled && { tabIndex: 0 })}>
        <code>{code}</code>
      </pre>
    </figure>
  )
}
