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
import { joinTexts } from './organizations.texts.ts'

/** The page that the link of an invitation leads to: `/join#token=…`. Browsers send the token to no server. */
export function JoinPage() {
  const { hash } = useLocation()
  const token = new URLSearchParams(hash).get('token') ?? ''
  return (
    <Page title={joinTexts.title}>
      {token === '' ? (
        <EmptyState title={joinTexts.incomplete.title}>
          <p>{joinTexts.incomplete.text}</p>
          <LinkButton to="/organizations">{joinTexts.incomplete.link}</LinkButton>
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
    reportSuccess(joinTexts.accepted(name))
    await navigate({ to: '/organizations/$org', params: { org: slug }, replace: true })
  })

  return (
    <Card description={joinTexts.signedInAs(user.email)}>
      {error !== undefined && (
        <Notice tone="danger" title={error.message}>
          {adviceFor(error)}
        </Notice>
      )}
      <div>
        <Button variant="primary" isPending={isPending} onPress={() => run()}>
          {joinTexts.accept}
        </Button>
      </div>
    </Card>
  )
}

function adviceFor(failure: Error): string | undefined {
  if (!(failure instanceof ApiError)) return undefined
  return failure.status === 403 || failure.status === 404 ? joinTexts.failed[failure.status] : undefined
}
