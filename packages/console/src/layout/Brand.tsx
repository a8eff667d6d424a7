import { Link } from '@tanstack/react-router'
import styles from './Brand.module.css'

/** The name of the product, which leads to the first page. */
export function Brand() {
  return (
    <Link to="/" className={styles.brand}>
      <img src="/favicon.svg" alt="" width="26" height="26" />
      Glasses Cloud
    </Link>
  )
}
