import { type ReactNode, useEffect } from 'react'
import { common } from '../../texts/common.ts'
import styles from './SignInFrame.module.css'

/** The frame of pages for people who are not signed in: one card in the middle. */
export function SignInFrame({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · ${common.productName}`
  }, [title])
  return (
    <main className={styles.frame}>
      <div className={styles.card}>
        <p className={styles.brand}>
          <img src="/favicon.svg" alt="" width="32" height="32" />
          {common.productName}
        </p>
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  )
}
