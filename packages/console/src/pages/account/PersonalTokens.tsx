import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type PersonalToken, type TokenScope, tokensQuery, useTokens } from '../../api/security.ts'
import { ActionForm } from '../../components/ActionForm.tsx'
import { Button } from '../../components/Button.tsx'
import { CheckboxGroup } from '../../components/CheckboxGroup.tsx'
import { ConfirmButton } from '../../components/ConfirmButton.tsx'
import { CopyField } from '../../components/CopyField.tsx'
import { Item, ItemList } from '../../components/ItemList.tsx'
import { LastUse } from '../../components/LastUse.tsx'
import { Actions, Modal } from '../../components/Modal.tsx'
import { Card } from '../../components/Page.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import { Select } from '../../components/Select.tsx'
import { TextField } from '../../components/TextField.tsx'
import { formatTime } from '../../texts/format.ts'
import { security } from '../../texts/security.ts'

const texts = security.tokens
const MAX_NAME_LENGTH = 100

const SCOPES = (['apps:read', 'apps:write', 'account'] as const satisfies readonly TokenScope[]).map(
  (value) => ({ value, label: texts.scopeLabels[value] }),
)

type Expiry = `${keyof typeof texts.expiries}`
const EXPIRIES = Object.entries(texts.expiries).map(([value, label]) => ({ value: value as Expiry, label }))

/** The personal access tokens of the user: create, list, revoke. */
export function PersonalTokens() {
  const tokens = useQuery(tokensQuery)
  const [isCreating, setCreating] = useState(false)
  return (
    <Card title={texts.title} description={texts.description}>
      <QueryState query={tokens}>
        {(found) =>
          found.length === 0 ? (
            <p>{texts.empty}</p>
          ) : (
            <ItemList label={texts.list}>
              {found.map((token) => (
                <TokenItem key={token.id} token={token} />
              ))}
            </ItemList>
          )
        }
      </QueryState>
      <div>
        <Button onPress={() => setCreating(true)}>{texts.create}</Button>
      </div>
      <Modal title={texts.create} isOpen={isCreating} onClose={() => setCreating(false)}>
        <CreateToken onClose={() => setCreating(false)} />
      </Modal>
    </Card>
  )
}

function TokenItem({ token }: { readonly token: PersonalToken }) {
  const { revoke } = useTokens()
  const { id, name, scopes, expiresAt, lastUsedAt, lastUsedIpAddress } = token
  return (
    <Item
      title={name}
      details={
        <>
          {scopes.map((scope) => texts.scopeLabels[scope]).join(' · ')}
          <br />
          {texts.expires(formatTime(expiresAt))}
          <br />
          <LastUse at={lastUsedAt} address={lastUsedIpAddress} />
        </>
      }
      actions={
        <ConfirmButton
          aria-label={`${texts.revoke} ${name}`}
          title={texts.revokeQuestion(name)}
          description={<p>{texts.revokeHint}</p>}
          confirmLabel={texts.revoke}
          onConfirm={() => revoke(id)}
          success={texts.revoked}
        >
          {texts.revoke}
        </ConfirmButton>
      }
    />
  )
}

/** The form, then the token, which is shown once. */
function CreateToken({ onClose }: { readonly onClose: () => void }) {
  const { create } = useTokens()
  const [scopes, setScopes] = useState<TokenScope[]>(['apps:read'])
  const [expiry, setExpiry] = useState<Expiry>('90')
  const [token, setToken] = useState<string>()
  if (token !== undefined) {
    return (
      <>
        <p role="status">{texts.createdHint}</p>
        <CopyField label={texts.token} value={token} />
        <Actions>
          <Button variant="primary" onPress={onClose} autoFocus>
            {texts.done}
          </Button>
        </Actions>
      </>
    )
  }
  return (
    <ActionForm
      submitLabel={texts.submit}
      onSubmit={async (fields) => {
        const name = fields.get('name') ?? ''
        setToken(await create({ name, scopes, expiresInDays: Number(expiry) }))
      }}
    >
      <TextField
        name="name"
        label={texts.name}
        description={texts.nameHint}
        maxLength={MAX_NAME_LENGTH}
        pattern=".*\S.*"
        isRequired
        autoFocus
      />
      <CheckboxGroup label={texts.scopes} options={SCOPES} value={scopes} onChange={setScopes} isRequired />
      <Select label={texts.expiry} options={EXPIRIES} value={expiry} onChange={setExpiry} />
    </ActionForm>
  )
}
