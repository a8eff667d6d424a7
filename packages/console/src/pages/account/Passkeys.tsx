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
import { common } from '../../texts/common.ts'
import { formatTime } from '../../texts/format.ts'
import { security } from '../../texts/security.ts'
import { FailureNotice } from './FailureNotice.tsx'

const texts = security.passkeys
const MAX_NAME_LENGTH = 100

/** The passkeys of the user: add, rename, remove. */
export function Passkeys() {
  const passkeys = useQuery(passkeysQuery)
  const options = useQuery(signInOptionsQuery)
  const canAdd = hasPasskeys && options.data?.passkeys === true
  return (
    <Card title={texts.title} description={texts.description}>
      <QueryState query={passkeys}>
        {(found) =>
          found.length === 0 ? (
            <p>{texts.empty}</p>
          ) : (
            <ItemList label={texts.list}>
              {found.map((passkey) => (
                <PasskeyItem key={passkey.id} passkey={passkey} />
              ))}
            </ItemList>
          )
        }
      </QueryState>
      {canAdd && <AddPasskey />}
      {options.data !== undefined && !canAdd && <p className="muted">{texts.unavailable}</p>}
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
      details={texts.details(formatTime(createdAt), used)}
      actions={
        <>
          <Button aria-label={`${texts.rename} ${name}`} onPress={() => setRenaming(true)}>
            {texts.rename}
          </Button>
          <Modal title={texts.rename} isOpen={isRenaming} onClose={() => setRenaming(false)}>
            <ActionForm
              submitLabel={common.save}
              success={texts.renamed}
              onSubmit={async (fields) => {
                await rename(id, fields.get('name') ?? '')
                setRenaming(false)
              }}
            >
              <NameField defaultValue={name} />
            </ActionForm>
          </Modal>
          <ConfirmButton
            aria-label={`${texts.remove} ${name}`}
            title={texts.removeQuestion(name)}
            description={<p>{texts.removeHint}</p>}
            confirmLabel={texts.remove}
            onConfirm={() => remove(id)}
            success={texts.removed}
          >
            {texts.remove}
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
      throw error instanceof PasskeyError ? new Error(texts[error.reason]) : error
    })
    setOpen(false)
  }

  return (
    <div>
      <Button onPress={() => setOpen(true)}>{texts.add}</Button>
      <Modal title={texts.add} isOpen={isOpen} onClose={() => setOpen(false)}>
        <ActionForm
          submitLabel={texts.add}
          success={texts.added}
          onSubmit={(fields) => submit(fields.get('name') ?? '')}
          renderError={(error) => <FailureNotice error={error} />}
        >
          <NameField description={texts.nameHint} />
        </ActionForm>
      </Modal>
    </div>
  )
}

function NameField(props: { readonly defaultValue?: string; readonly description?: string }) {
  return (
    <TextField name="name" label={texts.name} maxLength={MAX_NAME_LENGTH} isRequired autoFocus {...props} />
  )
}
