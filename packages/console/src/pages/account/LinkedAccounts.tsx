import { useQuery } from '@tanstack/react-query'
import { type LinkedAccount, signInMethodsQuery, useLinkedAccounts } from '../../api/security.ts'
import { signInOptionsQuery } from '../../api/sign-in.ts'
import { Button } from '../../components/Button.tsx'
import { ConfirmButton } from '../../components/ConfirmButton.tsx'
import { Item, ItemList } from '../../components/ItemList.tsx'
import { Card } from '../../components/Page.tsx'
import { useAction } from '../../components/use-action.ts'
import { formatTime } from '../../format.ts'
import { IssuerFailure } from '../sign-in/IssuerFailure.tsx'
import { FailureNotice } from './FailureNotice.tsx'
import { linkedAccountTexts } from './security.texts.ts'

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
    <Card title={linkedAccountTexts.title} description={linkedAccountTexts.description}>
      <IssuerFailure code={failure} />
      <ItemList label={linkedAccountTexts.title}>
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
      details={linkedAccountTexts.linked(formatTime(createdAt))}
      actions={
        <ConfirmButton
          aria-label={linkedAccountTexts.unlinkLabel(label)}
          title={linkedAccountTexts.unlinkQuestion(label)}
          description={<p>{linkedAccountTexts.unlinkConsequence}</p>}
          confirmLabel={linkedAccountTexts.unlink}
          onConfirm={() => unlink(id)}
          success={linkedAccountTexts.unlinked(label)}
        >
          {linkedAccountTexts.unlink}
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
      details={error === undefined ? linkedAccountTexts.notLinked : <FailureNotice error={error} />}
      actions={
        <Button
          aria-label={linkedAccountTexts.linkLabel(label)}
          isPending={isPending || isDone}
          onPress={() => run()}
        >
          {linkedAccountTexts.link}
        </Button>
      }
    />
  )
}
