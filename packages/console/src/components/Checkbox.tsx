import {
  Checkbox as AriaCheckbox,
  type CheckboxProps as AriaCheckboxProps,
} from 'react-aria-components/Checkbox'
import { CheckboxGroup as AriaCheckboxGroup } from 'react-aria-components/CheckboxGroup'
import { FieldError } from 'react-aria-components/FieldError'
import { Label } from 'react-aria-components/Label'
import styles from './Checkbox.module.css'
import fieldStyles from './fields.module.css'
import { Check } from './icons.ts'
import type { SelectOption } from './Select.tsx'

export interface CheckboxProps extends Omit<AriaCheckboxProps, 'className' | 'style' | 'children'> {
  readonly children: string
}

/** A choice of a form; with a name, its value is a field of the form while it is ticked. */
export function Checkbox({ children, ...props }: CheckboxProps) {
  return (
    <AriaCheckbox {...props} className={styles.checkbox ?? ''}>
      <span className={styles.box} aria-hidden>
        <Check />
      </span>
      {children}
    </AriaCheckbox>
  )
}

interface CheckboxGroupProps<Value extends string> {
  readonly label: string
  readonly options: readonly SelectOption<Value>[]
  readonly value: readonly Value[]
  readonly onChange: (value: Value[]) => void
  readonly isRequired?: boolean
}

/** A labeled choice of any number of options. */
export function CheckboxGroup<Value extends string>(props: CheckboxGroupProps<Value>) {
  const { label, options, value, onChange, isRequired = false } = props
  return (
    <AriaCheckboxGroup
      className={fieldStyles.field ?? ''}
      value={[...value]}
      onChange={(chosen) =>
        onChange(options.map((option) => option.value).filter((each) => chosen.includes(each)))
      }
      isRequired={isRequired}
    >
      <Label>{label}</Label>
      {options.map((option) => (
        <Checkbox key={option.value} value={option.value}>
          {option.label}
        </Checkbox>
      ))}
      <FieldError className={fieldStyles.error ?? ''} />
    </AriaCheckboxGroup>
  )
}
