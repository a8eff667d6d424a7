import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type LinkedAccount, signInMethodsQuery, useLinkedAccounts } from '../../api/security.ts'
import { signInOptionsQuery } from '../../api/sign-in.ts'
import { Button } from '../../components/Button.tsx'
import { ConfirmButton } from '../../components/ConfirmButton.tsx'
import { Item, ItemList } from '../../components/ItemList.tsx'
import { Card } from '../../components/Page.tsx'
import { reportSuccess } from '../../components/Toasts.tsx'
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
          onConfirm={async () => {
            await unlink(id)
            reportSuccess(texts.unlinked(label))
          }}
        >
          {texts.unlink}
        </ConfirmButton>
      }
    />
  )
}

function NotLinked({ issuer, label }: { readonly issuer: string; readonly label: string }) {
  const { link } = useLinkedAccounts()
  const [failure, setFailure] = useState<Error>()
  const [isPending, setPending] = useState(false)

  async function open() {
    setPending(true)
    try {
      window.location.assign(await link(issuer, '/account/security'))
    } catch (error) {
      setFailure(error instanceof Error ? error : new Error(String(error)))
      setPending(false)
    }
  }

  return (
    <Item
      title={label}
      details={failure === undefined ? texts.notLinked : <FailureNotice error={failure} />}
      actions={
        <Button aria-label={`${texts.link} ${label}`} isPending={isPending} onPress={() => void open()}>
          {texts.link}
        </Button>
      }
    />
  )
}
