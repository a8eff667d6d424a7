import { createLink } from '@tanstack/react-router'
import type { Ref } from 'react'
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components/Button'
import { Link as AriaLink, type LinkProps } from 'react-aria-components/Link'
import styles from './Button.module.css'

/** `primary` for the main action of a page, `danger` for what destroys, `quiet` for actions in lists. */
export type ButtonVariant = 'primary' | 'secondary' | 'danger' | 'quiet'

export interface ButtonProps extends Omit<AriaButtonProps, 'className' | 'style'> {
  readonly variant?: ButtonVariant
  readonly ref?: Ref<HTMLButtonElement>
}

/** A push button. While `isPending` it shows progress, announces it and cannot be pressed again. */
export function Button({ variant = 'secondary', type = 'button', ...props }: ButtonProps) {
  return <AriaButton {...props} type={type} className={`${styles.button} ${styles[variant]}`} />
}

interface LinkButtonProps extends Omit<LinkProps, 'className' | 'style'> {
  readonly variant?: ButtonVariant
}

function StyledLink({ variant = 'secondary', ...props }: LinkButtonProps) {
  return <AriaLink {...props} className={`${styles.button} ${styles[variant]}`} />
}

/** A link to a page of the console that looks like a button: `<LinkButton to="/store">`. */
export const LinkButton = createLink(StyledLink)
