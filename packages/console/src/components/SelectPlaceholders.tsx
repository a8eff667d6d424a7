import styles from './fields.module.css'

/** Holds the places of selects whose code is loading, so that nothing moves when they appear. */
export function SelectPlaceholders({ labels }: { readonly labels: readonly string[] }) {
  return labels.map((label) => (
    <div key={label} className={styles.field} aria-hidden>
      <span className={styles.label}>{label}</span>
      <span className={styles.select} />
    </div>
  ))
}
