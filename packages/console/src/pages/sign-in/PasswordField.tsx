import { type ReactNode, useEffect, useRef, useState } from 'react'
import { FieldError } from 'react-aria-components/FieldError'
import { Input } from 'react-aria-components/Input'
import { Label } from 'react-aria-components/Label'
import { Text } from 'react-aria-components/Text'
import { type TextFieldProps as AriaProps, TextField as AriaTextField } from 'react-aria-components/TextField'
import fieldStyles from '../../components/fields.module.css'
import { judgeCorrection } from '../../components/form-errors.ts'
import styles from './PasswordField.module.css'

export interface PasswordFieldProps extends Omit<AriaProps, 'className' | 'style' | 'children' | 'type'> {
  readonly label: string
  readonly description?: string
  /** Shown below the field. */
  readonly hint?: ReactNode
}

/** A password, which a button shows; it is hidden again when the form is submitted. */
export function PasswordField({ label, description, hint, ...props }: PasswordFieldProps) {
  const [isShown, setShown] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const form = input.current?.form
    const hide = () => setShown(false)
    form?.addEventListener('submit', hide)
    return () => form?.removeEventListener('submit', hide)
  }, [])

  return (
    <AriaTextField
      {...props}
      type={isShown ? 'text' : 'password'}
      spellCheck="false"
      className={fieldStyles.field ?? ''}
    >
      <Label>{label}</Label>
      <div className={styles.row}>
        <Input
          ref={input}
          autoCapitalize="off"
          className={`${fieldStyles.input} ${styles.input}`}
          onInput={judgeCorrection}
        />
        <button type="button" className={styles.toggle} onClick={() => setShown(!isShown)}>
          {isShown ? 'Hide' : 'Show'}
          <span className={styles.hidden}>{' password'}</span>
        </button>
      </div>
      {description !== undefined && (
        <Text slot="description" className={fieldStyles.description ?? ''}>
          {description}
        </Text>
      )}
      {hint}
      <FieldError className={fieldStyles.error ?? ''} />
    </AriaTextField>
  )
}
