import { Label } from 'react-aria-components/Label'
import { ProgressBar } from 'react-aria-components/ProgressBar'
import styles from './Progress.module.css'

/** A bar for work whose end is not known. */
export function Progress({ label }: { readonly label: string }) {
  return (
    <ProgressBar isIndeterminate className={styles.progress ?? ''}>
      <Label>{label}</Label>
      <div className={styles.track}>
        <div className={styles.fill} />
      </div>
    </ProgressBar>
  )
}
