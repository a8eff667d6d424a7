import { Check, ChevronDown } from 'lucide-react'
import { Button } from 'react-aria-components/Button'
import { Label } from 'react-aria-components/Label'
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { Popover } from 'react-aria-components/Popover'
import { Select as AriaSelect, SelectValue } from 'react-aria-components/Select'
import styles from './fields.module.css'

export interface SelectOption<Value extends string> {
  readonly value: Value
  readonly label: string
}

export interface SelectProps<Value extends string> {
  readonly label: string
  /** Hides the label, where a heading says the same; screen readers still announce it. */
  readonly isLabelHidden?: boolean
  readonly options: readonly SelectOption<Value>[]
  readonly value: Value
  readonly onChange: (value: Value) => void
  readonly isDisabled?: boolean
}

/** A labeled choice of one option. */
export function Select<Value extends string>({
  label,
  isLabelHidden = false,
  options,
  value,
  onChange,
  isDisabled,
}: SelectProps<Value>) {
  return (
    <AriaSelect
      className={styles.field ?? ''}
      value={value}
      onChange={(key) => {
        const chosen = options.find((option) => option.value === key)
        if (chosen !== undefined) onChange(chosen.value)
      }}
      {...(isDisabled !== undefined && { isDisabled })}
    >
      <Label className={isLabelHidden ? 'visually-hidden' : (styles.label ?? '')}>{label}</Label>
      <Button className={styles.select ?? ''}>
        <SelectValue />
        <ChevronDown aria-hidden />
      </Button>
      <Popover className={styles.popover ?? ''}>
        <ListBox items={options} className={styles.list ?? ''}>
          {(option) => (
            <ListBoxItem id={option.value} textValue={option.label} className={styles.option ?? ''}>
              {({ isSelected }) => (
                <>
                  <span>{option.label}</span>
                  {isSelected && <Check aria-hidden />}
                </>
              )}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaSelect>
  )
}
