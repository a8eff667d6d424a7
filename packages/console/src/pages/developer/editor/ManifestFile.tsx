import { locateProblem, type ManifestProblem, parseManifest } from '@glasses-cloud/contract'
import { type ReactNode, useState } from 'react'
import { ApiError } from '../../../api/api-error.ts'
import { Button } from '../../../components/Button.tsx'
import { FileDrop } from '../../../components/FileDrop.tsx'
import { Actions } from '../../../components/Modal.tsx'
import { Notice } from '../../../components/Notice.tsx'
import { Card } from '../../../components/Page.tsx'
import { TextField } from '../../../components/TextField.tsx'
import { useAction } from '../../../components/use-action.ts'
import { ProblemList } from './problems.tsx'

/** Largest file that is read; a manifest is far smaller. */
const MAX_BYTES = 1024 * 1024

type Reading =
  | { readonly manifest: object; readonly problems?: undefined }
  | { readonly manifest?: undefined; readonly problems: readonly ManifestProblem[] }

export interface ManifestFileProps {
  /** Sends a manifest that was checked. */
  readonly onSubmit: (manifest: object) => Promise<unknown>
  readonly before?: ReactNode
}

/** Creates an app from its manifest as JSON, dropped or pasted, which is checked as it is typed. */
export function ManifestFile({ onSubmit, before }: ManifestFileProps) {
  const [text, setText] = useState('')
  const { run, isPending, error: rejection, reset } = useAction(onSubmit)
  const reading = readManifest(text)
  const problems =
    rejection instanceof ApiError && rejection.problems.length > 0 ? rejection.problems : reading.problems

  function change(changed: string) {
    reset()
    setText(changed)
  }

  const loading = useAction(async (file: File) => {
    if (file.size > MAX_BYTES) throw new Error('The file is larger than 1 MB, which a manifest is not.')
    change(await file.text())
  })

  return (
    <Card
      title="Manifest"
      description="The manifest describes the app as JSON, with the same fields as the form."
    >
      {before}
      <FileDrop
        label="Drop the manifest here, or choose the file."
        buttonLabel="Choose a manifest"
        accept={['.json', 'application/json']}
        error={loading.error}
        onFile={loading.run}
      />
      <TextField label="Manifest as JSON" lines={16} value={text} onChange={change} />
      {text.trim() !== '' && problems !== undefined && <ProblemList problems={problems} />}
      {rejection !== undefined && problems === undefined && (
        <Notice tone="danger" title={rejection.message} />
      )}
      {reading.manifest !== undefined && rejection === undefined && (
        <Notice tone="success" title="The manifest is valid" />
      )}
      <Actions>
        <Button
          variant="primary"
          isPending={isPending}
          isDisabled={reading.manifest === undefined}
          onPress={() => {
            if (reading.manifest !== undefined) run(reading.manifest)
          }}
        >
          Create the app
        </Button>
      </Actions>
    </Card>
  )
}

function readManifest(text: string): Reading {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { problems: [{ field: '', message: `The text is no valid JSON: ${reason}` }] }
  }
  const parsed = parseManifest(value)
  if (!parsed.ok) return { problems: parsed.problems.map(locateProblem) }
  // Sent as it is: the cloud reads it in the same way.
  return { manifest: value as object }
}
