import { Deletion } from './Deletion.tsx'
import styles from './developer.module.css'
import { Health } from './Health.tsx'
import { Images } from './Images.tsx'
import { Owner } from './Owner.tsx'
import { Publication } from './Publication.tsx'

/** Whether an app works, whether it is in the store, its images, its owner, and its end. */
export function OverviewPage() {
  return (
    <>
      <Health />
      <div className={styles.pair}>
        <Publication />
        <Owner />
      </div>
      <Images />
      <Deletion />
    </>
  )
}
