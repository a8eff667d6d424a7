import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { hasPasskeys, type Passkey, PasskeyError, passkeysQuery, usePasskeys } from '../../api/passkeys.ts'
import { signInOptionsQuery } from '../../api/sign-in.ts'
import { ActionForm } from '../../components/ActionForm.tsx'
import { Button } from '../../components/Button.tsx'
import { ConfirmButton } from '../../components/ConfirmButton.tsx'
import { Item, ItemList } from '../../components/ItemList.tsx'
import { Modal } from '../../components/Modal.tsx'
import { Card } from '../../components/Page.tsx'
import { QueryState } from '../../components/States.tsx'
import { TextField } from '../../components/TextField.tsx'
import { formatTime } from '../../format.ts'
import { PasskeyAddress } from '../sign-in/PasskeySignIn.tsx'
import { FailureNotice } from './FailureNotice.tsx'

const FAILURES = {
  canceled: 'No passkey was added. Try again.',
  exists: 'This device has a passkey for your account already.',
} as const

const MAX_NAME_LENGTH = 100

/** The passkeys of the user: add, rename, remove. */
export function Passkeys() {
  const passkeys = useQuery(passkeysQuery)
  const options = useQuery(signInOptionsQuery)
  const canAdd = hasPasskeys && options.data?.passkeys === true
  return (
    <Card
      title="Passkeys"
      description="Sign in with your fingerprint, face or PIN, without password and code."
      actions={canAdd && <AddPasskey />}
    >
      <QueryState query={passkeys} skeleton="rows">
        {(found) =>
          found.length === 0 ? (
            <p className="muted">You have no passkeys yet.</p>
          ) : (
            <ItemList label="Passkeys">
              {found.map((passkey) => (
                <PasskeyItem key={passkey.id} passkey={passkey} />
              ))}
            </ItemList>
          )
        }
      </QueryState>
      {options.data !== undefined && !canAdd && (
        <>
          <p className="muted">
            This browser has no passkeys at this address. They need https, or http://localhost.
          </p>
          <PasskeyAddress />
        </>
      )}
    </Card>
  )
}

function PasskeyItem({ passkey: { id, name, createdAt, lastUsedAt } }: { readonly passkey: Passkey }) {
  const { rename, remove } = usePasskeys()
  const [isRenaming, setRenaming] = useState(false)
  const use = lastUsedAt === null ? 'never used' : `last used ${formatTime(lastUsedAt)}`
  return (
    <Item
      title={name}
      details={`Added ${formatTime(createdAt)}, ${use}`}
      actions={
        <>
          <Button aria-label={`Rename ${name}`} onPress={() => setRenaming(true)}>
            Rename
          </Button>
          <Modal title="Rename" isOpen={isRenaming} onClose={() => setRenaming(false)}>
            <ActionForm
              submitLabel="Save"
              success="Passkey renamed"
              onSubmit={async (fields) => {
                await rename(id, fields.get('name') ?? '')
                setRenaming(false)
              }}
            >
              <NameField defaultValue={name} />
            </ActionForm>
          </Modal>
          <ConfirmButton
            aria-label={`Remove ${name}`}
            title={`Remove the passkey “${name}”?`}
            description={<p>It no longer signs you in. Delete it on your device as well.</p>}
            confirmLabel="Remove"
            onConfirm={() => remove(id)}
            success="Passkey removed"
          >
            Remove
          </ConfirmButton>
        </>
      }
    />
  )
}

function AddPasskey() {
  const { add } = usePasskeys()
  const [isOpen, setOpen] = useState(false)

  /** The browser asks the user in a dialog of its own. */
  async function submit(name: string) {
    await add(name).catch((error: unknown) => {
      throw error instanceof PasskeyError ? new Error(FAILURES[error.reason]) : error
    })
    setOpen(false)
  }

  return (
    <>
      <Button onPress={() => setOpen(true)}>Add a passkey</Button>
      <Modal title="Add a passkey" isOpen={isOpen} onClose={() => setOpen(false)}>
        <ActionForm
          submitLabel="Add a passkey"
          success="Passkey added"
          onSubmit={(fields) => submit(fields.get('name') ?? '')}
          renderError={(error) => <FailureNotice error={error} />}
        >
          <NameField description="Where it is, such as “Work laptop”." />
        </ActionForm>
      </Modal>
    </>
  )
}

function NameField(props: { readonly defaultValue?: string; readonly description?: string }) {
  return <TextField name="name" label="Name" maxLength={MAX_NAME_LENGTH} isRequired autoFocus {...props} />
}
