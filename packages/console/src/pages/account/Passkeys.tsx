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
import { QueryState } from '../../components/QueryState.tsx'
import { TextField } from '../../components/TextField.tsx'
import { formatTime } from '../../format.ts'
import { PasskeyAddress } from '../sign-in/PasskeyAddress.tsx'
import { FailureNotice } from './FailureNotice.tsx'
import { passkeyTexts } from './security.texts.ts'

const MAX_NAME_LENGTH = 100

/** The passkeys of the user: add, rename, remove. */
export function Passkeys() {
  const passkeys = useQuery(passkeysQuery)
  const options = useQuery(signInOptionsQuery)
  const canAdd = hasPasskeys && options.data?.passkeys === true
  return (
    <Card
      title={passkeyTexts.title}
      description={passkeyTexts.description}
      actions={canAdd && <AddPasskey />}
    >
      <QueryState query={passkeys} skeleton="rows">
        {(found) =>
          found.length === 0 ? (
            <p className="muted">{passkeyTexts.none}</p>
          ) : (
            <ItemList label={passkeyTexts.title}>
              {found.map((passkey) => (
                <PasskeyItem key={passkey.id} passkey={passkey} />
              ))}
            </ItemList>
          )
        }
      </QueryState>
      {options.data !== undefined && !canAdd && (
        <>
          <p className="muted">{passkeyTexts.unavailable}</p>
          <PasskeyAddress />
        </>
      )}
    </Card>
  )
}

function PasskeyItem({ passkey: { id, name, createdAt, lastUsedAt } }: { readonly passkey: Passkey }) {
  const { rename, remove } = usePasskeys()
  const [isRenaming, setRenaming] = useState(false)
  const used = lastUsedAt === null ? undefined : formatTime(lastUsedAt)
  return (
    <Item
      title={name}
      details={passkeyTexts.details(formatTime(createdAt), used)}
      actions={
        <>
          <Button aria-label={passkeyTexts.renameLabel(name)} onPress={() => setRenaming(true)}>
            {passkeyTexts.rename}
          </Button>
          <Modal title={passkeyTexts.rename} isOpen={isRenaming} onClose={() => setRenaming(false)}>
            <ActionForm
              submitLabel={passkeyTexts.save}
              success={passkeyTexts.renamed}
              onSubmit={async (fields) => {
                await rename(id, fields.get('name') ?? '')
                setRenaming(false)
              }}
            >
              <NameField defaultValue={name} />
            </ActionForm>
          </Modal>
          <ConfirmButton
            aria-label={passkeyTexts.removeLabel(name)}
            title={passkeyTexts.removeQuestion(name)}
            description={<p>{passkeyTexts.removeConsequence}</p>}
            confirmLabel={passkeyTexts.remove}
            onConfirm={() => remove(id)}
            success={passkeyTexts.removed}
          >
            {passkeyTexts.remove}
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
      throw error instanceof PasskeyError ? new Error(passkeyTexts.failures[error.reason]) : error
    })
    setOpen(false)
  }

  return (
    <>
      <Button onPress={() => setOpen(true)}>{passkeyTexts.add}</Button>
      <Modal title={passkeyTexts.add} isOpen={isOpen} onClose={() => setOpen(false)}>
        <ActionForm
          submitLabel={passkeyTexts.add}
          success={passkeyTexts.added}
          onSubmit={(fields) => submit(fields.get('name') ?? '')}
          renderError={(error) => <FailureNotice error={error} />}
        >
          <NameField description={passkeyTexts.nameHint} />
        </ActionForm>
      </Modal>
    </>
  )
}

function NameField(props: { readonly defaultValue?: string; readonly description?: string }) {
  return (
    <TextField
      name="name"
      label={passkeyTexts.name}
      maxLength={MAX_NAME_LENGTH}
      isRequired
      autoFocus
      {...props}
    />
  )
}
