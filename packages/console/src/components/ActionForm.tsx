import { type ReactNode, useState } from 'react'
import { Form } from 'react-aria-components/Form'
import styles from './ActionForm.module.css'
import { Button } from './Button.tsx'
import { Notice } from './Notice.tsx'

export interface ActionFormProps {
  readonly submitLabel: string
  /** Called with the fields by name; a rejection is shown above the button. */
  readonly onSubmit: (fields: ReadonlyMap<string, string>) => Promise<unknown>
  readonly children: ReactNode
}

/** A form with one button. While it is submitted it cannot be submitted again. */
export function ActionForm({ submitLabel, onSubmit, children }: ActionFormProps) {
  const [failure, setFailure] = useState<Error>()
  const [isPending, setPending] = useState(false)

  async function submit(form: HTMLFormElement) {
    const entries = [...new FormData(form)].filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    )
    setPending(true)
    setFailure(undefined)
    try {
      await onSubmit(new Map(entries))
    } catch (error) {
      setFailure(error instanceof Error ? error : new Error(String(error)))
    } finally {
      setPending(false)
    }
  }

  return (
    <Form
      className={styles.form ?? ''}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isPending) void submit(event.currentTarget)
      }}
    >
      {children}
      {failure !== undefined && <Notice tone="danger" title={failure.message} />}
      <Button type="submit" variant="primary" isPending={isPending}>
        {submitLabel}
      </Button>
    </Form>
  )
}
