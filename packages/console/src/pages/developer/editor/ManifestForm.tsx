import { type ReactNode, useRef, useState } from 'react'
import { Button } from '../../../components/Button.tsx'
import { useErrorFocus } from '../../../components/form-errors.ts'
import { Actions } from '../../../components/Modal.tsx'
import { Notice } from '../../../components/Notice.tsx'
import { Card } from '../../../components/Page.tsx'
import { useAction } from '../../../components/use-action.ts'
import { BasicFields } from './BasicFields.tsx'
import styles from './ManifestForm.module.css'
import { NeedsFields } from './NeedsFields.tsx'
import { ProblemList, ProblemsProvider } from './problems.tsx'
import { SettingsFields } from './SettingsFields.tsx'
import { ToolsFields } from './ToolsFields.tsx'
import type { Draft } from './use-draft.ts'
import { WakeWordFields } from './WakeWordFields.tsx'
import { WearerPreview } from './WearerPreview.tsx'

export interface ManifestFormProps {
  readonly draft: Draft
  readonly isExisting: boolean
  readonly submitLabel: string
  readonly isSubmitDisabled?: boolean
  /** Sends the draft; called only if it has no problem. */
  readonly onSubmit: () => Promise<unknown>
  /** Fields before those of the manifest. */
  readonly before?: ReactNode
  /** Buttons beside the submit button. */
  readonly actions?: ReactNode
  /** Sentence beside the buttons. */
  readonly status?: string
}

/** Edits a manifest, which is checked as it is typed, beside a preview of what the wearer sees. */
export function ManifestForm(props: ManifestFormProps) {
  const {
    draft,
    isExisting,
    submitLabel,
    isSubmitDisabled = false,
    onSubmit,
    before,
    actions,
    status,
  } = props
  const form = useRef<HTMLFormElement>(null)
  const [rejection, setRejection] = useState<object>()
  const { run, isPending, error } = useAction(async () => {
    const isSent = await draft.submit(onSubmit)
    // Another object after each attempt.
    setRejection(isSent ? undefined : {})
  })
  useErrorFocus(form, error ?? rejection)

  return (
    <ProblemsProvider problems={draft.problems} showsAll={draft.showsAll}>
      <form
        ref={form}
        className={styles.columns}
        // Problems are shown beside the fields, in the words of the cloud.
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          run()
        }}
      >
        <div className={styles.fields}>
          <Card title="App">
            {before}
            <BasicFields draft={draft} isExisting={isExisting} />
          </Card>
          <Card>
            <NeedsFields draft={draft} />
          </Card>
          <Card>
            <WakeWordFields draft={draft} />
          </Card>
          <Card>
            <SettingsFields draft={draft} />
          </Card>
          <Card>
            <ToolsFields draft={draft} />
          </Card>
          {draft.showsAll && <ProblemList problems={draft.problems} />}
          {error !== undefined && <Notice tone="danger" title={error.message} />}
          <div className={styles.footer}>
            <p role="status">{status}</p>
            <Actions>
              {actions}
              <Button type="submit" variant="primary" isPending={isPending} isDisabled={isSubmitDisabled}>
                {submitLabel}
              </Button>
            </Actions>
          </div>
        </div>
        <WearerPreview draft={draft.value} />
      </form>
    </ProblemsProvider>
  )
}
