import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { announceSignIn, sessionWatch } from '../../api/session.ts'
import type { SessionUser } from '../../api/session-watch.ts'
import { signInOptionsQuery } from '../../api/sign-in.ts'
import { BASE_PATH } from '../../base-path.ts'
import { Button } from '../../components/Button.tsx'
import { Notice } from '../../components/Notice.tsx'
import { QueryState } from '../../components/States.tsx'
import styles from './SignInAgain.module.css'
import { SignInForm } from './SignInForm.tsx'
import frameStyles from './SignInFrame.module.css'

/**
 * Covers the page when its session has ended elsewhere, and signs in again. The page stays below, inert, with everything
 * that was typed: nothing of it is stored. Another user who signs in gets it afresh.
 */
export function SignInAgain({ user }: { readonly user: SessionUser }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const queryClient = useQueryClient()
  const options = useQuery(signInOptionsQuery)
  const [next] = useState(currentAddress)

  useEffect(() => {
    const shown = dialog.current
    const title = document.title
    // A modal dialog makes everything else inert, also other dialogs.
    if (shown?.open === false) shown.showModal()
    document.title = 'Sign in · Glasses Cloud'
    return () => {
      shown?.close()
      document.title = title
      // What was loaded before may have changed meanwhile.
      void queryClient.invalidateQueries()
    }
  }, [queryClient])

  return (
    <dialog
      ref={dialog}
      className={styles.layer}
      aria-labelledby="sign-in-again"
      // React Aria neither hides it from screen readers nor takes the focus away.
      data-react-aria-top-layer="true"
      onCancel={(event) => event.preventDefault()}
    >
      <div className={frameStyles.frame}>
        <div className={frameStyles.card}>
          <p className={frameStyles.brand}>
            <img src={`${BASE_PATH}/favicon.svg`} alt="" width="32" height="32" />
            Glasses Cloud
          </p>
          <h1 id="sign-in-again">Sign in</h1>
          <Notice tone="warning" title="You were signed out. Sign in to go on.">
            The page stays as it is, with everything that you typed.
          </Notice>
          <QueryState query={options}>
            {(loaded) => (
              <SignInForm
                options={loaded}
                email={user.email}
                next={next}
                onSignedIn={async () => {
                  announceSignIn()
                  await sessionWatch.recheck()
                }}
              />
            )}
          </QueryState>
          <Button variant="quiet" onPress={() => window.location.assign(`${BASE_PATH}/sign-in`)}>
            Leave this page
          </Button>
        </div>
      </div>
    </dialog>
  )
}

function currentAddress(): string {
  const { pathname, search, hash } = window.location
  return pathname + search + hash
}
