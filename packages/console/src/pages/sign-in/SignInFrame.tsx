import { type ReactNode, useEffect } from 'react'
import { BASE_PATH } from '../../base-path.ts'
import styles from './SignInFrame.module.css'

/** The frame of pages for people who are not signed in: one card in the middle. */
export function SignInFrame({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Glasses Cloud`
  }, [title])
  return (
    <main className={styles.frame}>
      <div className={styles.card}>
        <p className={styles.brand}>
          <img src={`${BASE_PATH}/favicon.svg`} alt="" width="32" height="32" />
          Glasses Cloud
        </p>
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  )
}
