import { useBlocker } from '@tanstack/react-router'
import { useAppChanges } from '../../api/developer.ts'
import { Button } from '../../components/Button.tsx'
import { Actions, Modal } from '../../components/Modal.tsx'
import { reportSuccess } from '../../components/Toasts.tsx'
import { formatList } from '../../format.ts'
import { useDeveloperApp } from './developer-app.ts'
import { changedFields, draftOf, toManifest } from './editor/app-draft.ts'
import { ManifestForm } from './editor/ManifestForm.tsx'
import { useDraft } from './editor/use-draft.ts'

/** Edits the manifest of an app. Only what was changed is sent. */
export function EditPage() {
  const app = useDeveloperApp()
  const { update } = useAppChanges(app.packageName)
  const draft = useDraft(() => draftOf(app))
  const changes = changedFields(toManifest(draftOf(app)), toManifest(draft.value))
  const fields = Object.keys(changes)
  const hasChanges = fields.length > 0
  const blocker = useBlocker({
    shouldBlockFn: () => hasChanges,
    enableBeforeUnload: () => hasChanges,
    withResolver: true,
  })
  const isBlocked = blocker.status === 'blocked'
  return (
    <>
      <ManifestForm
        draft={draft}
        isExisting
        status={hasChanges ? `Changed and not saved: ${formatList(fields)}` : 'Nothing was changed.'}
        submitLabel="Save changes"
        isSubmitDisabled={!hasChanges}
        onSubmit={async () => {
          draft.replace(draftOf(await update(changes)))
          reportSuccess('App saved')
        }}
        actions={
          <Button isDisabled={!hasChanges} onPress={() => draft.replace(draftOf(app))}>
            Discard changes
          </Button>
        }
      />
      <Modal
        role="alertdialog"
        title="Leave without saving?"
        isOpen={isBlocked}
        onClose={() => blocker.reset?.()}
      >
        <p>What you changed is lost.</p>
        <Actions>
          <Button onPress={() => blocker.reset?.()}>Stay</Button>
          <Button variant="danger" onPress={() => blocker.proceed?.()}>
            Leave
          </Button>
        </Actions>
      </Modal>
    </>
  )
}
