import { ApiError } from '../../api/api-error.ts'
import { LinkButton } from '../../components/LinkButton.tsx'
import { Notice } from '../../components/Notice.tsx'

/** Why a way to sign in could not be added. An old sign-in is the reason for 403, so it offers a new one. */
export function FailureNotice({ error }: { readonly error: Error }) {
  const needsSignIn = error instanceof ApiError && error.status === 403
  return (
    <>
      <Notice tone="danger" title={error.message} />
      {needsSignIn && (
        <LinkButton to="/sign-in" search={{ to: '/account/security' }}>
          Sign in again
        </LinkButton>
      )}
    </>
  )
}
