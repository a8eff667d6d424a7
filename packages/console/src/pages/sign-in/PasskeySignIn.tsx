import { hasPasskeys, PasskeyError, signInWithPasskey } from '../../api/passkeys.ts'
import { Button } from '../../components/Button.tsx'
import { Notice } from '../../components/Notice.tsx'
import { useAction } from '../../components/use-action.ts'

export interface PasskeySignInProps {
  /** Whether the cloud has passkeys at this address. */
  readonly isAvailable: boolean
  readonly onSignedIn: () => Promise<void>
}

/** Signs in with a passkey; where the address has none, says which one has. */
export function PasskeySignIn({ isAvailable, onSignedIn }: PasskeySignInProps) {
  const { run, isPending, error } = useAction(async () => {
    await signInWithPasskey()
    await onSignedIn()
  })
  if (!isAvailable || !hasPasskeys) return <PasskeyAddress />
  return (
    <>
      <Button isPending={isPending} onPress={() => run()}>
        Sign in with a passkey
      </Button>
      {error !== undefined && (
        <Notice
          tone="danger"
          title={
            error instanceof PasskeyError
              ? 'No passkey was used. Try again, or sign in with your password.'
              : error.message
          }
        />
      )}
    </>
  )
}

/** Addresses of this machine, at which browsers have no passkeys; they do at `localhost`. */
const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|\[::1\]|0\.0\.0\.0)$/

/** Leads to the same page at `localhost`, where the console was opened at an IP address of this machine. */
export function PasskeyAddress() {
  const { hostname, href } = window.location
  if (!LOOPBACK.test(hostname)) return null
  const url = new URL(href)
  url.hostname = 'localhost'
  return (
    <p className="muted">
      Browsers have no passkeys at an IP address. <a href={url.href}>Open {url.origin} to use passkeys</a>
    </p>
  )
}
