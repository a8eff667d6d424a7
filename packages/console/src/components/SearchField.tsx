import { Input } from 'react-aria-components/Input'
import { Label } from 'react-aria-components/Label'
import { SearchField as AriaSearchField } from 'react-aria-components/SearchField'
import styles from './fields.module.css'

export interface SearchFieldProps {
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
