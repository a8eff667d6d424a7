import { type RefObject, useEffect } from 'react'

/** A field that is announced as invalid, or another place of a form that says what is wrong with a part of it. */
const INVALID = '[aria-invalid="true"], [data-problem]'

/** Moves the focus to the first invalid field of a form, or to its message, and brings it into sight. */
function focusFirstError(form: HTMLElement): void {
  const target = form.querySelector<HTMLElement>(INVALID) ?? form.querySelector<HTMLElement>('[role="alert"]')
  target?.focus({ preventScroll: true })
  target?.scrollIntoView({ block: 'center' })
}

/**
 * Shows users what is wrong with a form that they sent, which may be out of sight.
 * @param rejection another value after each attempt that failed; undefined without one
 */
export function useErrorFocus(form: RefObject<HTMLElement | null>, rejection: unknown): void {
  useEffect(() => {
    if (rejection !== undefined && form.current !== null) focusFirstError(form.current)
  }, [form, rejection])
}

/**
 * Returns the field that a message of the cloud names, and the rest of the message: `displayName must not be empty`
 * becomes `Must not be empty` at the field.
 */
export function findFieldError(
  form: HTMLFormElement,
  message: string,
): { readonly field: string; readonly message: string } | undefined {
  const [, field, rest] = /^(\w+) ((?:is|must) .+)$/s.exec(message) ?? []
  if (field === undefined || rest === undefined) return undefined
  const element = form.elements.namedItem(field)
  const isText = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement
  if (!isText || element.type === 'hidden') return undefined
  return { field, message: rest.charAt(0).toUpperCase() + rest.slice(1) }
}

/**
 * Judges an invalid field again as it is corrected. Otherwise its message would go when the press of a button takes the
 * focus: the button moves away under the pointer, and the press is lost.
 */
export function judgeCorrection({ currentTarget }: { readonly currentTarget: HTMLElement }): void {
  // React Aria judges fields at this event.
  if (currentTarget.getAttribute('aria-invalid') === 'true') currentTarget.dispatchEvent(new Event('change'))
}
