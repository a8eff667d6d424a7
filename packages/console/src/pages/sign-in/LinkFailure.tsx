import { ApiError } from '../../api/api-error.ts'
import { BASE_PATH } from '../../base-path.ts'
import { Notice } from '../../components/Notice.tsx'

interface LinkFailureProps {
  readonly error: Error
  /** The page that sends another link. */
  readonly to: '/reset-password' | '/verify-email'
}

/** Why the link of a message did not work; where it is used up, leads to another one. */
export function LinkFailure({ error, to }: LinkFailureProps) {
  if (!(error instanceof ApiError) || error.code !== 'VERIFICATION_REJECTED')
    return <Notice tone="danger" title={error.message} />
  return (
    <Notice tone="danger" title={error.message}>
      {/* Loads the page afresh, which otherwise keeps the used token. */}
      <a href={BASE_PATH + to}>Request another link</a>
    </Notice>
  )
}
