import { useQuery } from '@tanstack/react-query'
import { type LinkedAccount, signInMethodsQuery, useLinkedAccounts } from '../../api/security.ts'
import { signInOptionsQuery } from '../../api/sign-in.ts'
import { Button } from '../../components/Button.tsx'
import { ConfirmButton } from '../../components/ConfirmButton.tsx'
import { Item, ItemList } from '../../components/ItemList.tsx'
import { Card } from '../../components/Page.tsx'
import { useAction } from '../../components/use-action.ts'
import { formatTime } from '../../format.ts'
import { IssuerFailure } from '../sign-in/Issuers.tsx'
import { FailureNotice } from './FailureNotice.tsx'

export interface LinkedAccountsProps {
  /** Why the last attempt to link an account failed: the code in the link that led back. */
  readonly failure: string | null
}

/** Accounts at the OpenID Connect issuers of this cloud. Without any, there is nothing to show. */
export function LinkedAccounts({ failure }: LinkedAccountsProps) {
  const { data: options } = useQuery(signInOptionsQuery)
  const { data: methods } = useQuery(signInMethodsQuery)
  const linked = methods?.linked ?? []
  const isLinked = new Set(linked.map(({ issuer }) => issuer))
  const others = (options?.issuers ?? []).filter(({ id }) => !isLinked.has(id))
  if (linked.length === 0 && others.length === 0) return null
  return (
    <Card title="Linked accounts" description="Accounts elsewhere with which you can sign in here.">
      <IssuerFailure code={failure} />
      <ItemList label="Linked accounts">
        {linked.map((account) => (
          <Linked key={account.id} account={account} />
        ))}
        {others.map(({ id, label }) => (
          <NotLinked key={id} issuer={id} label={label} />
        ))}
      </ItemList>
    </Card>
  )
}

function Linked({ account: { id, label, createdAt } }: { readonly account: LinkedAccount }) {
  const { unlink } = useLinkedAccounts()
  return (
    <Item
      title={label}
      details={`Linked ${formatTime(createdAt)}`}
      actions={
        <ConfirmButton
          aria-label={`Unlink ${label}`}
          title={`Unlink ${label}?`}
          description={<p>You can no longer sign in with it. Your account here stays.</p>}
          confirmLabel="Unlink"
          onConfirm={() => unlink(id)}
          success={`${label} is unlinked`}
        >
          Unlink
        </ConfirmButton>
      }
    />
  )
}

function NotLinked({ issuer, label }: { readonly issuer: string; readonly label: string }) {
  const { link } = useLinkedAccounts()
  const { run, isPending, isDone, error } = useAction(async () =>
    window.location.assign(await link(issuer, '/account/security')),
  )

  return (
    <Item
      title={label}
      details={error === undefined ? 'Not linked' : <FailureNotice error={error} />}
      actions={
        <Button aria-label={`Link ${label}`} isPending={isPending || isDone} onPress={() => run()}>
          Link
        </Button>
      }
    />
  )
}
