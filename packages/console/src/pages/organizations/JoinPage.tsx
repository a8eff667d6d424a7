import { useLocation, useNavigate, useRouteContext } from '@tanstack/react-router'
import { ApiError } from '../../api/api-error.ts'
import { useOrganizationChanges } from '../../api/organizations.ts'
import { Button, LinkButton } from '../../components/Button.tsx'
import { Notice } from '../../components/Notice.tsx'
import { Card, Page } from '../../components/Page.tsx'
import { EmptyState } from '../../components/States.tsx'
import { reportSuccess } from '../../components/Toasts.tsx'
import { useAction } from '../../components/use-action.ts'

const ADVICE = {
  403: 'Sign out, and open the link again with the account of that address.',
  404: 'It may have been replaced by a newer one. Ask an administrator of the organization to send it again.',
} as const

/** The page that the link of an invitation leads to: `/join#token=…`. Browsers send the token to no server. */
export function JoinPage() {
  const { hash } = useLocation()
  const token = new URLSearchParams(hash).get('token') ?? ''
  return (
    <Page title="Invitation">
      {token === '' ? (
        <EmptyState title="This link is not complete">
          <p>Open the link again, or ask for a new invitation.</p>
          <LinkButton to="/organizations">Go to your organizations</LinkButton>
        </EmptyState>
      ) : (
        <Acceptance token={token} />
      )}
    </Page>
  )
}

function Acceptance({ token }: { readonly token: string }) {
  const { user } = useRouteContext({ from: '/signed-in' })
  const { accept } = useOrganizationChanges()
  const navigate = useNavigate()
  const { run, isPending, error } = useAction(async () => {
    const { slug, name } = await accept(token)
    reportSuccess(`You are now a member of ${name}`)
    await navigate({ to: '/organizations/$org', params: { org: slug }, replace: true })
  })

  return (
    <Card
      description={`You are signed in as ${user.email}. An invitation can be accepted only with the address that it is for.`}
    >
      {error !== undefined && (
        <Notice tone="danger" title={error.message}>
          {adviceFor(error)}
        </Notice>
      )}
      <div>
        <Button variant="primary" isPending={isPending} onPress={() => run()}>
          Accept the invitation
        </Button>
      </div>
    </Card>
  )
}

function adviceFor(failure: Error): string | undefined {
  if (!(failure instanceof ApiError)) return undefined
  return failure.status === 403 || failure.status === 404 ? ADVICE[failure.status] : undefined
}
