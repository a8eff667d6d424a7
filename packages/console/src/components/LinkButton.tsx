import { createLink } from '@tanstack/react-router'
import { Link as AriaLink, type LinkProps } from 'react-aria-components/Link'
import styles from './Button.module.css'
import type { ButtonVariant } from './Button.tsx'

interface LinkButtonProps extends Omit<LinkProps, 'className' | 'style'> {
  readonly variant?: ButtonVariant
}

function StyledLink({ variant = 'secondary', ...props }: LinkButtonProps) {
  return <AriaLink {...props} className={`${styles.button} ${styles[variant]}`} />
}

/** A link to a page of the console that looks like a button: `<LinkButton to="/store">`. */
export const LinkButton = createLink(StyledLink)
