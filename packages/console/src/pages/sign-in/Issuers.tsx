import { api, unwrap } from '../../api/client.ts'
import type { SignInOptions } from '../../api/sign-in.ts'
import { Button } from '../../components/Button.tsx'
import { reportFailure } from '../../components/Toasts.tsx'
import { useAction } from '../../components/use-action.ts'

export interface IssuersProps extends Pick<SignInOptions, 'issuers'> {
  /** Address of the page that follows, of this origin (`useNextPage`). */
  readonly next: string
}

/** One button for each OpenID Connect issuer of the cloud. */
export function Issuers({ issuers, next }: IssuersProps) {
  const { run } = useAction(
    async (issuer: string) => {
      const { url } = await unwrap(api.POST('/api/auth/sign-in/oidc', { body: { issuer, next } }))
      window.location.assign(url)
    },
    { onFailure: reportFailure },
  )
  return issuers.map(({ id, label }) => (
    <Button key={id} onPress={() => run(id)}>
      Continue with {label}
    </Button>
  ))
}
