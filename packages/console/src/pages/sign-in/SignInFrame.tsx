import { type ReactNode, useEffect } from 'react'
import styles from './SignInFrame.module.css'
import { signInTexts } from './sign-in.texts.ts'

/** The frame of pages for people who are not signed in: one card in the middle. */
export function SignInFrame({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · ${signInTexts.product}`
  }, [title])
  return (
    <main className={styles.frame}>
      <div className={styles.card}>
        <p className={styles.brand}>
          <img src="/favicon.svg" alt="" width="32" height="32" />
          {signInTexts.product}
        </p>
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  )
}
