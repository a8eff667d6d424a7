import { ApiError } from '../../api/api-error.ts'
import { LinkButton } from '../../components/Button.tsx'
import { Notice } from '../../components/Notice.tsx'

/**
 * Why a way to sign in or a token could not be added. An old sign-in is the reason for 403, so it offers a new one, which
 * returns to the page `to`.
 */
export function FailureNotice({
  error,
  to = '/account/security',
}: {
  readonly error: Error
  readonly to?: string
}) {
  const needsSignIn = error instanceof ApiError && error.status === 403
  return (
    <>
      <Notice tone="danger" title={error.message} />
      {needsSignIn && (
        <LinkButton to="/sign-in" search={{ to }}>
          Sign in again
        </LinkButton>
      )}
    </>
  )
}
