import { api, unwrap } from '../api/client.ts'
import { Button } from '../components/Button.tsx'
import { Notice } from '../components/Notice.tsx'
import { useAction } from '../components/use-action.ts'

const texts = {
  confirmAddress: {
    title: 'Your e-mail address is not confirmed',
    consequence:
      'Until it is, you cannot sign in to web pages of apps, and you do not own apps that were registered for your address.',
    send: 'Send me a link',
    sent: 'A link was sent to your address. Open it in this browser.',
  },
} as const

/** Tells users with an unconfirmed address what they cannot do, and sends them a link. */
export function ConfirmAddress({ email }: { readonly email: string }) {
  const { run, isPending, isDone, error } = useAction(() =>
    unwrap(api.POST('/api/auth/send-verification-email', { body: { email } })),
  )
  const { title, consequence, send, sent } = texts.confirmAddress
  return (
    <Notice tone="warning" title={title}>
      <p>{consequence}</p>
      {error !== undefined && <p role="alert">{error.message}</p>}
      {isDone ? (
        <p>{sent}</p>
      ) : (
        <Button isPending={isPending} onPress={() => run()}>
          {send}
        </Button>
      )}
    </Notice>
  )
}
