import { hasPasskeys, PasskeyError, signInWithPasskey } from '../../api/passkeys.ts'
import { Button } from '../../components/Button.tsx'
import { Notice } from '../../components/Notice.tsx'
import { useAction } from '../../components/use-action.ts'
import { PasskeyAddress } from './PasskeyAddress.tsx'

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
