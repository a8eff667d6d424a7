import type { ReactNode } from 'react'
import { Form } from 'react-aria-components/Form'
import styles from './ActionForm.module.css'
import { Button } from './Button.tsx'
import { Notice } from './Notice.tsx'
import { type ActionOptions, useAction } from './use-action.ts'

/** The fields of a form by name. */
type Fields = ReadonlyMap<string, string>

export interface ActionFormProps<Result> extends Pick<ActionOptions<Result, Fields>, 'success'> {
  readonly submitLabel: string
  /** Called with the fields by name; a rejection is shown above the button. */
  readonly onSubmit: (fields: Fields) => Promise<Result>
  /** Renders a rejection instead of its message. */
  readonly renderError?: (error: Error) => ReactNode
  readonly children: ReactNode
}

/** A form with one button. While it is submitted it cannot be submitted again. */
export function ActionForm<Result>(props: ActionFormProps<Result>) {
  const { submitLabel, onSubmit, success, renderError = showMessage, children } = props
  const { run, isPending, error } = useAction(onSubmit, { success })
  return (
    <Form
      className={styles.form ?? ''}
      onSubmit={(event) => {
        event.preventDefault()
        const fields = new Map<string, string>()
        for (const [name, value] of new FormData(event.currentTarget))
          if (typeof value === 'string') fields.set(name, value)
        run(fields)
      }}
    >
      {children}
      {error !== undefined && renderError(error)}
      <Button type="submit" variant="primary" isPending={isPending}>
        {submitLabel}
      </Button>
    </Form>
  )
}

function showMessage({ message }: Error): ReactNode {
  return <Notice tone="danger" title={message} />
}
