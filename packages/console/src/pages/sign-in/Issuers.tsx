import { api, unwrap } from '../../api/client.ts'
import type { SignInOptions } from '../../api/sign-in.ts'
import { Button } from '../../components/Button.tsx'
import { Notice } from '../../components/Notice.tsx'
import { useAction } from '../../components/use-action.ts'

export interface IssuersProps extends Pick<SignInOptions, 'issuers'> {
  /** Address of the page that follows, of this origin (`useNextPage`). */
  readonly next: string
}

/** One button for each OpenID Connect issuer of the cloud. */
export function Issuers({ issuers, next }: IssuersProps) {
  const { run, error } = useAction(async (issuer: string) => {
    const { url } = await unwrap(api.POST('/api/auth/sign-in/oidc', { body: { issuer, next } }))
    window.location.assign(url)
  })
  return (
    <>
      {issuers.map(({ id, label }) => (
        <Button key={id} onPress={() => run(id)}>
          Continue with {label}
        </Button>
      ))}
      {error !== undefined && <Notice tone="danger" title={error.message} />}
    </>
  )
}

const FAILURES: Readonly<Record<string, string>> = {
  ACCOUNT_LINK_REQUIRED:
    'An account with your e-mail address exists here. Sign in to it first; then the other one is linked.',
  ACCOUNT_SUSPENDED: 'This account is suspended. Ask the operator of this cloud.',
  OIDC_ACCOUNT_TAKEN: 'The account at the identity provider belongs to another user of this cloud.',
  OIDC_EMAIL_MISSING:
    'The identity provider sent no e-mail address. Add one to your account there. If it has one, the operator of this cloud can name the claim that contains it: “emailClaim” in OIDC_ISSUERS.',
  OIDC_EMAIL_NOT_VERIFIED:
    'The identity provider does not say that your e-mail address is verified. Verify it there. If that is not possible, the operator of this cloud can trust its addresses: “trustEmail” in OIDC_ISSUERS.',
  OIDC_SIGN_IN_REJECTED: 'The sign-in was not completed. Try again.',
  SIGN_IN_UNAVAILABLE: 'The identity provider cannot be reached. Try again later.',
  SIGN_UP_CLOSED: 'This cloud accepts no new accounts. Ask its operator for one.',
}

interface IssuerFailureProps {
  /** The code in the link that leads back from the issuer. Anybody can make such a link, so its text is never shown. */
  readonly code: string | null
}

/** Why the visit to an issuer failed. */
export function IssuerFailure({ code }: IssuerFailureProps) {
  if (code === null) return null
  const text = Object.hasOwn(FAILURES, code) ? FAILURES[code] : undefined
  return <Notice tone="danger" title={text ?? 'The sign-in was not completed. Try again.'} />
}
