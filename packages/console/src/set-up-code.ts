/** The parameter of the link that the server prints while a new cloud is not set up: `/?setup=CODE`. */
const PARAMETER = 'setup'

/**
 * Returns the set-up code of the address, and removes it from there, so that the history and other sites do not see it.
 */
function takeSetUpCode(): string | undefined {
  const url = new URL(window.location.href)
  const code = url.searchParams.get(PARAMETER)
  if (code === null) return undefined
  url.searchParams.delete(PARAMETER)
  window.history.replaceState(window.history.state, '', url)
  return code
}

/** The set-up code of the link by which the console was opened. Read when the console is loaded, before the router is. */
export const setUpCode = takeSetUpCode()
