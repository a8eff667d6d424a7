import { useEffect } from 'react'

/** Errors of parts of the console that were to be loaded on first use. */
const errors = new WeakSet<Error>()

window.addEventListener('vite:preloadError', ({ payload }) => errors.add(payload))

/** Whether an error means that a part of the console could not be loaded, for instance because it was built again. */
export const isMissingPart = (error: unknown): boolean => error instanceof Error && errors.has(error)

/** Lets the script of the page (`recovery/recover.js`) explain it, and load the page again. */
export function MissingPart() {
  useEffect(() => void window.dispatchEvent(new Event('missing-part')), [])
  return null
}
