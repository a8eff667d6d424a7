import { Switch as AriaSwitch, type SwitchProps as AriaSwitchProps } from 'react-aria-components/Switch'
import styles from './Switch.module.css'

export interface SwitchProps extends Omit<AriaSwitchProps, 'className' | 'style' | 'children'> {
  readonly children: string
}

/** A setting that is on or off and takes effect at once. */
export function Switch({ children, ...props }: SwitchProps) {
  return (
    <AriaSwitch {...props} className={styles.switch ?? ''}>
      <span className={styles.track} aria-hidden />
      {children}
    </AriaSwitch>
  )
}
