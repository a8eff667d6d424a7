import { FieldError } from 'react-aria-components/FieldError'
import { Input } from 'react-aria-components/Input'
import { Label } from 'react-aria-components/Label'
import { SearchField as AriaSearchField } from 'react-aria-components/SearchField'
import { Text } from 'react-aria-components/Text'
import { TextArea } from 'react-aria-components/TextArea'
import { type TextFieldProps as AriaProps, TextField as AriaTextField } from 'react-aria-components/TextField'
import styles from './fields.module.css'
import { judgeCorrection } from './form-errors.ts'

export interface TextFieldProps extends Omit<AriaProps, 'className' | 'style' | 'children'> {
  readonly label: string
  readonly description?: string
  /** Shown below the field, which is then announced as invalid. */
  readonly error?: string | undefined
  readonly placeholder?: string
  /** Number of lines; a field of more than one is a text area. */
  readonly lines?: number
}

/** A labeled text field with a description and an error message. */
export function TextField({ label, description, error, placeholder, lines = 1, ...props }: TextFieldProps) {
  return (
    <AriaTextField
      {...props}
      validationBehavior={error === undefined ? 'native' : 'aria'}
      // Not `false` otherwise: that would hide what the browser or the form finds.
      {...(error !== undefined && { isInvalid: true })}
      className={styles.field ?? ''}
    >
      <Label>{label}</Label>
      {lines > 1 ? (
        <TextArea
          rows={lines}
          placeholder={placeholder}
          className={styles.input ?? ''}
          onInput={judgeCorrection}
        />
      ) : (
        <Input placeholder={placeholder} className={styles.input ?? ''} onInput={judgeCorrection} />
      )}
      {description !== undefined && (
        <Text slot="description" className={styles.description ?? ''}>
          {description}
        </Text>
      )}
      <FieldError className={styles.error ?? ''}>{error}</FieldError>
    </AriaTextField>
  )
}

interface SearchFieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
}

/** A labeled search field; Escape clears it. */
export function SearchField({ label, value, onChange }: SearchFieldProps) {
  return (
    <AriaSearchField value={value} onChange={onChange} className={styles.field ?? ''}>
      <Label>{label}</Label>
      <Input className={styles.input ?? ''} />
    </AriaSearchField>
  )
}
