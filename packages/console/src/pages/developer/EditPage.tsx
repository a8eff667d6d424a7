import { useBlocker } from '@tanstack/react-router'
import { useAppChanges } from '../../api/developer.ts'
import { Button } from '../../components/Button.tsx'
import { Actions, Modal } from '../../components/Modal.tsx'
import { reportSuccess } from '../../components/Toasts.tsx'
import { useDeveloperApp } from './developer-app.ts'
import { changedFields, draftOf, toManifest } from './editor/app-draft.ts'
import { ManifestForm } from './editor/ManifestForm.tsx'
import { useDraft } from './editor/use-draft.ts'
import { editorTexts } from './editor.texts.ts'

const { edit: texts } = editorTexts

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
        status={hasChanges ? texts.changed(fields) : texts.unchanged}
        submitLabel={texts.submit}
        isSubmitDisabled={!hasChanges}
        onSubmit={async () => {
          draft.replace(draftOf(await update(changes)))
          reportSuccess(texts.saved)
        }}
        actions={
          <Button isDisabled={!hasChanges} onPress={() => draft.replace(draftOf(app))}>
            {texts.discard}
          </Button>
        }
      />
      <Modal
        role="alertdialog"
        title={texts.leave.question}
        isOpen={isBlocked}
        onClose={() => blocker.reset?.()}
      >
        <p>{texts.leave.hint}</p>
        <Actions>
          <Button onPress={() => blocker.reset?.()}>{texts.leave.stay}</Button>
          <Button variant="danger" onPress={() => blocker.proceed?.()}>
            {texts.leave.leave}
          </Button>
        </Actions>
      </Modal>
    </>
  )
}
