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
import { formatTime } from '../../format.ts'
import { tokenTexts } from './access.texts.ts'
import { FailureNotice } from './FailureNotice.tsx'

const MAX_NAME_LENGTH = 100

const SCOPES = (['apps:read', 'apps:write', 'account'] as const satisfies readonly TokenScope[]).map(
  (value) => ({ value, label: tokenTexts.scopes[value] }),
)

type Expiry = `${keyof typeof tokenTexts.expiries}`
const EXPIRIES = Object.entries(tokenTexts.expiries).map(([value, label]) => ({
  value: value as Expiry,
  label,
}))

/** The personal access tokens of the user: create, list, revoke. */
export function PersonalTokens() {
  const tokens = useQuery(tokensQuery)
  const [isCreating, setCreating] = useState(false)
  return (
    <Card
      title={tokenTexts.title}
      description={tokenTexts.description}
      actions={<Button onPress={() => setCreating(true)}>{tokenTexts.open}</Button>}
    >
      <QueryState query={tokens} skeleton="rows">
        {(found) =>
          found.length === 0 ? (
            <p className="muted">{tokenTexts.none}</p>
          ) : (
            <ItemList label={tokenTexts.title}>
              {found.map((token) => (
                <TokenItem key={token.id} token={token} />
              ))}
            </ItemList>
          )
        }
      </QueryState>
      <Modal title={tokenTexts.open} isOpen={isCreating} onClose={() => setCreating(false)}>
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
          {scopes.map((scope) => tokenTexts.scopes[scope]).join(' · ')}
          <br />
          {tokenTexts.expires(formatTime(expiresAt))}
          <br />
          <LastUse at={lastUsedAt} address={lastUsedIpAddress} />
        </>
      }
      actions={
        <ConfirmButton
          aria-label={tokenTexts.revokeLabel(name)}
          title={tokenTexts.revokeQuestion(name)}
          description={<p>{tokenTexts.revokeConsequence}</p>}
          confirmLabel={tokenTexts.revoke}
          onConfirm={() => revoke(id)}
          success={tokenTexts.revoked}
        >
          {tokenTexts.revoke}
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
        <p role="status">{tokenTexts.created}</p>
        <CopyField label={tokenTexts.token} value={token} />
        <Actions>
          <Button variant="primary" onPress={onClose} autoFocus>
            {tokenTexts.done}
          </Button>
        </Actions>
      </>
    )
  }
  return (
    <ActionForm
      submitLabel={tokenTexts.submit}
      renderError={(error) => <FailureNotice error={error} to="/account/sessions" />}
      onSubmit={async (fields) => {
        const name = fields.get('name') ?? ''
        setToken(await create({ name, scopes, expiresInDays: Number(expiry) }))
      }}
    >
      <TextField
        name="name"
        label={tokenTexts.name}
        description={tokenTexts.nameHint}
        maxLength={MAX_NAME_LENGTH}
        pattern=".*\S.*"
        isRequired
        autoFocus
      />
      <CheckboxGroup
        label={tokenTexts.scope}
        options={SCOPES}
        value={scopes}
        onChange={setScopes}
        isRequired
      />
      <Select label={tokenTexts.validFor} options={EXPIRIES} value={expiry} onChange={setExpiry} />
    </ActionForm>
  )
}
