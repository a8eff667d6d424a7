import { CheckboxGroup as AriaCheckboxGroup } from 'react-aria-components/CheckboxGroup'
import { FieldError } from 'react-aria-components/FieldError'
import { Label } from 'react-aria-components/Label'
import { Checkbox } from './Checkbox.tsx'
import fieldStyles from './fields.module.css'
import type { SelectOption } from './Select.tsx'

export interface CheckboxGroupProps<Value extends string> {
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
