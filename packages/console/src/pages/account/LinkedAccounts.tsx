import { useQuery } from '@tanstack/react-query'
import { type LinkedAccount, signInMethodsQuery, useLinkedAccounts } from '../../api/security.ts'
import { signInOptionsQuery } from '../../api/sign-in.ts'
import { Button } from '../../components/Button.tsx'
import { ConfirmButton } from '../../components/ConfirmButton.tsx'
import { Item, ItemList } from '../../components/ItemList.tsx'
import { Card } from '../../components/Page.tsx'
import { useAction } from '../../components/use-action.ts'
import { formatTime } from '../../texts/format.ts'
import { security } from '../../texts/security.ts'
import { FailureNotice } from './FailureNotice.tsx'

const texts = security.linked

export interface LinkedAccountsProps {
  /** Why the last attempt to link an account failed, as the issuer sent the browser back. */
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
    <Card title={texts.title} description={texts.description}>
      {failure !== null && <FailureNotice error={new Error(failure)} />}
      <ItemList label={texts.list}>
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
      details={texts.linkedSince(formatTime(createdAt))}
      actions={
        <ConfirmButton
          aria-label={`${texts.unlink} ${label}`}
          title={texts.unlinkQuestion(label)}
          description={<p>{texts.unlinkHint}</p>}
          confirmLabel={texts.unlink}
          onConfirm={() => unlink(id)}
          success={texts.unlinked(label)}
        >
          {texts.unlink}
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
      details={error === undefined ? texts.notLinked : <FailureNotice error={error} />}
      actions={
        <Button aria-label={`${texts.link} ${label}`} isPending={isPending || isDone} onPress={() => run()}>
          {texts.link}
        </Button>
      }
    />
  )
}
