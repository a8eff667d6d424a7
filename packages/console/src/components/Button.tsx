import { createLink } from '@tanstack/react-router'
import { type RefObject, useEffect, useRef } from 'react'
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components/Button'
import { Link as AriaLink, type LinkProps } from 'react-aria-components/Link'
import { announce } from './announce.ts'
import styles from './Button.module.css'

/** `primary` for the main action of a page, `danger` for what destroys, `quiet` for actions in lists. */
export type ButtonVariant = 'primary' | 'secondary' | 'danger' | 'quiet'

export interface ButtonProps extends Omit<AriaButtonProps, 'className' | 'style'> {
  readonly variant?: ButtonVariant
  readonly ref?: RefObject<HTMLButtonElement | null>
}

/**
 * A push button. While `isPending` it shows progress, announces it and cannot be pressed again. The pending state of React
 * Aria is not used: it announces a picture whose name is that of the button, none once the button is gone.
 */
export function Button({
  variant = 'secondary',
  type = 'button',
  isPending = false,
  ref,
  ...props
}: ButtonProps) {
  const ownRef = useRef<HTMLButtonElement>(null)
  const button = ref ?? ownRef
  useProgressAnnouncement(button, isPending)
  const { onPress, ...others } = props
  return (
    <AriaButton
      {...(isPending ? { ...others, 'aria-disabled': true } : props)}
      ref={button}
      type={isPending ? 'button' : type}
      className={`${styles.button} ${styles[variant]}`}
    />
  )
}

/** Announces that a button that has the focus begins or ends to work. */
function useProgressAnnouncement(button: RefObject<HTMLButtonElement | null>, isPending: boolean): void {
  const wasPending = useRef(isPending)
  useEffect(() => {
    const { current } = button
    if (wasPending.current !== isPending && current !== null && current === document.activeElement)
      announce(`${current.ariaLabel ?? current.textContent}: ${isPending ? 'in progress' : 'ready'}`)
    wasPending.current = isPending
  }, [button, isPending])
}

interface LinkButtonProps extends Omit<LinkProps, 'className' | 'style'> {
  readonly variant?: ButtonVariant
}

function StyledLink({ variant = 'secondary', ...props }: LinkButtonProps) {
  return <AriaLink {...props} className={`${styles.button} ${styles[variant]}`} />
}

/** A link to a page of the console that looks like a button: `<LinkButton to="/store">`. */
export const LinkButton = createLink(StyledLink)
