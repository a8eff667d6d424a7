import { type ReactNode, useRef, useState } from 'react'
import { Form } from 'react-aria-components/Form'
import styles from './ActionForm.module.css'
import { Button } from './Button.tsx'
import { findFieldError, useErrorFocus } from './form-errors.ts'
import { Notice } from './Notice.tsx'
import { type ActionOptions, useAction } from './use-action.ts'

/** The fields of a form by name. */
type Fields = ReadonlyMap<string, string>

export interface ActionFormProps<Result> extends Pick<ActionOptions<Result, Fields>, 'success'> {
  readonly submitLabel: string
  /** `danger` for a form that destroys something. */
  readonly variant?: 'primary' | 'danger'
  /** Called with the fields by name; a rejection is shown above the button. */
  readonly onSubmit: (fields: Fields) => Promise<Result>
  /** Renders a rejection instead of its message. */
  readonly renderError?: (error: Error) => ReactNode
  /** Buttons beside the one that submits. */
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/**
 * A form with one button. While it is submitted it cannot be submitted again. A rejection that names a field is shown
 * there; the first invalid field, or the message, gets the focus.
 */
export function ActionForm<Result>(props: ActionFormProps<Result>) {
  const { submitLabel, variant = 'primary', onSubmit, success, actions, children } = props
  const { renderError } = props
  const form = useRef<HTMLFormElement>(null)
  const [fieldErrors, setFieldErrors] = useState<Readonly<Record<string, string>>>({})
  const { run, isPending, error } = useAction(onSubmit, { success, onFailure: locate })
  useErrorFocus(form, error)

  function locate({ message }: Error) {
    if (form.current === null || renderError !== undefined) return
    const found = findFieldError(form.current, message)
    setFieldErrors(found === undefined ? {} : { [found.field]: found.message })
  }

  const isAtField = Object.keys(fieldErrors).length > 0
  return (
    <Form
      ref={form}
      className={styles.form ?? ''}
      validationErrors={fieldErrors}
      onSubmit={(event) => {
        event.preventDefault()
        const fields = new Map<string, string>()
        for (const [name, value] of new FormData(event.currentTarget))
          if (typeof value === 'string') fields.set(name, value)
        setFieldErrors({})
        run(fields)
      }}
    >
      {children}
      {error !== undefined && !isAtField && (renderError ?? showMessage)(error)}
      <div className={styles.buttons}>
        <Button type="submit" variant={variant} isPending={isPending}>
          {submitLabel}
        </Button>
        {actions}
      </div>
    </Form>
  )
}

function showMessage({ message }: Error): ReactNode {
  return <Notice tone="danger" title={message} />
}
