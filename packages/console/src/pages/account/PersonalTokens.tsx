import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type PersonalToken, type TokenScope, tokensQuery, useTokens } from '../../api/security.ts'
import { ActionForm } from '../../components/ActionForm.tsx'
import { Button } from '../../components/Button.tsx'
import { CheckboxGroup } from '../../components/Checkbox.tsx'
import { ConfirmButton } from '../../components/ConfirmButton.tsx'
import { CopyField } from '../../components/CopyField.tsx'
import { Item, ItemList } from '../../components/ItemList.tsx'
import { LastUse } from '../../components/LastUse.tsx'
import { Actions, Modal } from '../../components/Modal.tsx'
import { Card } from '../../components/Page.tsx'
import { Select } from '../../components/Select.tsx'
import { QueryState } from '../../components/States.tsx'
import { TextField } from '../../components/TextField.tsx'
import { formatTime } from '../../format.ts'
import { FailureNotice } from './FailureNotice.tsx'

const SCOPE_NAMES = {
  'apps:read': 'Read your apps and their logs',
  'apps:write': 'Change and publish your apps',
  account: 'Read your account, manage your organizations',
} as const

const MAX_NAME_LENGTH = 100

const SCOPES = (['apps:read', 'apps:write', 'account'] as const satisfies readonly TokenScope[]).map(
  (value) => ({ value, label: SCOPE_NAMES[value] }),
)

const EXPIRIES = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '366', label: 'A year' },
] as const
type Expiry = (typeof EXPIRIES)[number]['value']

/** The personal access tokens of the user: create, list, revoke. */
export function PersonalTokens() {
  const tokens = useQuery(tokensQuery)
  const [isCreating, setCreating] = useState(false)
  return (
    <Card
      title="Personal access tokens"
      description="For programs that use this cloud in your name, such as the command line in CI."
      actions={<Button onPress={() => setCreating(true)}>Create a token</Button>}
    >
      <QueryState query={tokens} skeleton="rows">
        {(found) =>
          found.length === 0 ? (
            <p className="muted">You have no tokens yet.</p>
          ) : (
            <ItemList label="Personal access tokens">
              {found.map((token) => (
                <TokenItem key={token.id} token={token} />
              ))}
            </ItemList>
          )
        }
      </QueryState>
      <Modal title="Create a token" isOpen={isCreating} onClose={() => setCreating(false)}>
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
          {scopes.map((scope) => SCOPE_NAMES[scope]).join(' · ')}
          <br />
          Expires {formatTime(expiresAt)}
          <br />
          <LastUse at={lastUsedAt} address={lastUsedIpAddress} />
        </>
      }
      actions={
        <ConfirmButton
          aria-label={`Revoke ${name}`}
          title={`Revoke the token “${name}”?`}
          description={<p>Programs that use it lose their access at once. This cannot be undone.</p>}
          confirmLabel="Revoke"
          onConfirm={() => revoke(id)}
          success="Token revoked"
        >
          Revoke
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
        <p role="status">Copy it now: it is not shown again.</p>
        <CopyField label="Token" value={token} />
        <Actions>
          <Button variant="primary" onPress={onClose} autoFocus>
            Done
          </Button>
        </Actions>
      </>
    )
  }
  return (
    <ActionForm
      submitLabel="Create"
      renderError={(error) => <FailureNotice error={error} to="/account/sessions" />}
      onSubmit={async (fields) => {
        const name = fields.get('name') ?? ''
        setToken(await create({ name, scopes, expiresInDays: Number(expiry) }))
      }}
    >
      <TextField
        name="name"
        label="Name"
        description="What it is for, such as “Deployment”."
        maxLength={MAX_NAME_LENGTH}
        pattern=".*\S.*"
        isRequired
        autoFocus
      />
      <CheckboxGroup label="What it may do" options={SCOPES} value={scopes} onChange={setScopes} isRequired />
      <Select label="Valid for" options={EXPIRIES} value={expiry} onChange={setExpiry} />
    </ActionForm>
  )
}
