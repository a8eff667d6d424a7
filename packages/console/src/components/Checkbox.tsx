import {
  Checkbox as AriaCheckbox,
  type CheckboxProps as AriaCheckboxProps,
} from 'react-aria-components/Checkbox'
import styles from './Checkbox.module.css'
import { Check } from './icons.ts'

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
