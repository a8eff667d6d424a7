import { api, unwrap } from '../api/client.ts'
import { Button } from '../components/Button.tsx'
import { Notice } from '../components/Notice.tsx'
import { useAction } from '../components/use-action.ts'
import { layoutTexts } from './texts.ts'

/** Tells users with an unconfirmed address what they cannot do, and sends them a link. */
export function ConfirmAddress({ email }: { readonly email: string }) {
  const { run, isPending, isDone, error } = useAction(() =>
    unwrap(api.POST('/api/auth/send-verification-email', { body: { email } })),
  )
  const { title, consequence, send, sent } = layoutTexts.confirmAddress
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
