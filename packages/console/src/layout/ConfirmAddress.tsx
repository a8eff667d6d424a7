import { api, unwrap } from '../api/client.ts'
import { Button } from '../components/Button.tsx'
import { ChevronRight, TriangleAlert } from '../components/icons.ts'
import { useAction } from '../components/use-action.ts'
import styles from './ConfirmAddress.module.css'

/** Tells users with an unconfirmed address so in one line, which opens to what they cannot do, and a button for a link. */
export function ConfirmAddress({ email }: { readonly email: string }) {
  const { run, isPending, isDone, error } = useAction(() =>
    unwrap(api.POST('/api/auth/send-verification-email', { body: { email } })),
  )

  return (
    <details className={styles.notice}>
      <summary>
        <TriangleAlert aria-hidden />
        E-mail address not confirmed
        <ChevronRight aria-hidden />
      </summary>
      <div className={styles.body}>
        <p>
          Until it is, you cannot sign in to web pages of apps, and you do not own apps that were registered
          for your address.
        </p>
        {error !== undefined && <p role="alert">{error.message}</p>}
        {isDone ? (
          <p role="status">A link was sent to {email}. Open it in this browser.</p>
        ) : (
          <Button isPending={isPending} onPress={() => run()}>
            Send me a link
          </Button>
        )}
      </div>
    </details>
  )
}
