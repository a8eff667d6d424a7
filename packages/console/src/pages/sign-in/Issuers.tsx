import { api, unwrap } from '../../api/client.ts'
import type { SignInOptions } from '../../api/sign-in.ts'
import { Button } from '../../components/Button.tsx'
import { reportFailure } from '../../components/Toasts.tsx'
import { signIn as texts } from '../../texts/sign-in.ts'

export interface IssuersProps extends Pick<SignInOptions, 'issuers'> {
  /** Path of the page that follows. */
  readonly next: string
}

/** One button for each OpenID Connect issuer of the cloud. */
export function Issuers({ issuers, next }: IssuersProps) {
  async function open(issuer: string) {
    try {
      const { url } = await unwrap(api.POST('/api/auth/sign-in/oidc', { body: { issuer, next } }))
      window.location.assign(url)
    } catch (error) {
      reportFailure(error)
    }
  }
  return issuers.map(({ id, label }) => (
    <Button key={id} onPress={() => void open(id)}>
      {texts.withIssuer(label)}
    </Button>
  ))
}
