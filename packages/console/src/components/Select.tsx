import { useId } from 'react'
import styles from './fields.module.css'
import { ChevronDown } from './icons.ts'

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

/** A labeled choice of one option. The browser's own, which opens at once, on phones as the picker that people know. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { label, isLabelHidden = false, options, value, onChange, isDisabled = false } = props
  const id = useId()
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={isLabelHidden ? 'visually-hidden' : styles.label}>
        {label}
      </label>
      <span className={styles.choice}>
        <select
          id={id}
          className={styles.select}
          value={value}
          disabled={isDisabled}
          onChange={({ target }) => {
            const chosen = options.find((option) => option.value === target.value)
            if (chosen !== undefined) onChange(chosen.value)
          }}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
        <ChevronDown aria-hidden />
      </span>
    </div>
  )
}
