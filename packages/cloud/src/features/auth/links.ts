/** Returns the page that sets up the cloud. The console removes the code from the address when it has read it. */
export function setUpLink(publicUrl: URL, code: string): string {
  const url = new URL(pageLink(publicUrl, '/'))
  url.searchParams.set('setup', code)
  return url.href
}

/** Returns the page where an invited person creates an account. */
export function signUpLink(publicUrl: URL, invitation: string, email: string | undefined): string {
  return pageLink(publicUrl, '/sign-up', { invitation, ...(email === undefined ? {} : { email }) })
}

/**
 * Returns the URL of a page below the public URL. Parameters are in the fragment, which browsers send to no server, so
 * that no log contains them.
 */
export function pageLink(
  publicUrl: URL,
  path: string,
  parameters: Readonly<Record<string, string>> = {},
): string {
  const url = new URL(`${publicUrl.pathname.replace(/\/+$/, '')}${path}`, publicUrl)
  const fragment = new URLSearchParams(parameters).toString()
  url.hash = fragment === '' ? url.hash : fragment
  return url.href
}
