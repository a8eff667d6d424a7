import { Input } from 'react-aria-components/Input'
import { Label } from 'react-aria-components/Label'
import { TextField } from 'react-aria-components/TextField'
import { CopyButton } from './CopyButton.tsx'
import styles from './CopyField.module.css'
import fieldStyles from './fields.module.css'

export interface CopyFieldProps {
  readonly label: string
  readonly value: string
}

/** A value to copy, such as an address or a key that is shown once. */
export function CopyField({ label, value }: CopyFieldProps) {
  return (
    <TextField value={value} isReadOnly className={fieldStyles.field ?? ''}>
      <Label>{label}</Label>
      <div className={styles.row}>
        <Input
          className={`${fieldStyles.input} ${styles.value}`}
          onFocus={(event) => event.target.select()}
        />
        <CopyButton text={value} />
      </div>
    </TextField>
  )
}
