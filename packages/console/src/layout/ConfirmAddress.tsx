import { api, unwrap } from '../api/client.ts'
import { Button } from '../components/Button.tsx'
import { Notice } from '../components/Notice.tsx'
import { useAction } from '../components/use-action.ts'

/** Tells users with an unconfirmed address what they cannot do, and sends them a link. */
export function ConfirmAddress({ email }: { readonly email: string }) {
  const { run, isPending, isDone, error } = useAction(() =>
    unwrap(api.POST('/api/auth/send-verification-email', { body: { email } })),
  )

  return (
    <Notice tone="warning" title="Your e-mail address is not confirmed">
      <p>
        Until it is, you cannot sign in to web pages of apps, and you do not own apps that were registered for
        your address.
      </p>
      {error !== undefined && <p role="alert">{error.message}</p>}
      {isDone ? (
        <p>A link was sent to your address. Open it in this browser.</p>
      ) : (
        <Button isPending={isPending} onPress={() => run()}>
          Send me a link
        </Button>
      )}
    </Notice>
  )
}
