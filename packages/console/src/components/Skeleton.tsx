import styles from './Skeleton.module.css'

/** What will be there: rows of a list or table, cards of a grid, fields of a form, a paragraph, or a whole page. */
export type SkeletonShape = 'rows' | 'cards' | 'form' | 'text' | 'page'

const LINES: Readonly<Record<Exclude<SkeletonShape, 'page'>, number>> = {
  rows: 5,
  cards: 6,
  form: 3,
  text: 3,
}

export interface SkeletonProps {
  readonly shape?: SkeletonShape
  /** Says what takes long; otherwise only screen readers are told that something is loading. */
  readonly label?: string
}

/** Holds the place of content that is loading, so that nothing moves when it arrives. */
export function Skeleton({ shape = 'text', label }: SkeletonProps) {
  return (
    <div role="status" className={styles.status}>
      <p className={label === undefined ? 'visually-hidden' : 'muted'}>{label ?? 'Loading…'}</p>
      <div className={styles.skeleton} aria-hidden>
        {shape === 'page' ? (
          <>
            <div className={styles.title} />
            <Lines shape="rows" />
          </>
        ) : (
          <Lines shape={shape} />
        )}
      </div>
    </div>
  )
}

function Lines({ shape }: { readonly shape: Exclude<SkeletonShape, 'page'> }) {
  return (
    <div className={styles[shape]}>
      {Array.from({ length: LINES[shape] }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike
        <div key={index} className={styles.line} />
      ))}
    </div>
  )
}
