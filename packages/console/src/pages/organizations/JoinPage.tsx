import { useLocation, useNavigate, useRouteContext } from '@tanstack/react-router'
import { ApiError } from '../../api/api-error.ts'
import { useOrganizationChanges } from '../../api/organizations.ts'
import { Button } from '../../components/Button.tsx'
import { LinkButton } from '../../components/LinkButton.tsx'
import { Notice } from '../../components/Notice.tsx'
import { Card, Page } from '../../components/Page.tsx'
import { EmptyState } from '../../components/States.tsx'
import { reportSuccess } from '../../components/Toasts.tsx'
import { useAction } from '../../components/use-action.ts'
import { organizations } from '../../texts/organizations.ts'

const texts = organizations.join

/** The page that the link of an invitation leads to: `/join#token=…`. Browsers send the token to no server. */
export function JoinPage() {
  const { hash } = useLocation()
  const token = new URLSearchParams(hash).get('token') ?? ''
  return (
    <Page title={texts.title}>
      {token === '' ? (
        <EmptyState title={texts.noToken.title}>
          <p>{texts.noToken.hint}</p>
          <LinkButton to="/organizations">{texts.toOrganizations}</LinkButton>
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
    reportSuccess(texts.accepted(name))
    await navigate({ to: '/organizations/$org', params: { org: slug }, replace: true })
  })

  return (
    <Card description={texts.hint(user.email)}>
      {error !== undefined && (
        <Notice tone="danger" title={error.message}>
          {adviceFor(error)}
        </Notice>
      )}
      <div>
        <Button variant="primary" isPending={isPending} onPress={() => run()}>
          {texts.accept}
        </Button>
      </div>
    </Card>
  )
}

function adviceFor(failure: Error): string | undefined {
  if (!(failure instanceof ApiError)) return undefined
  return failure.status === 403 || failure.status === 404 ? texts.failed[failure.status] : undefined
}
