import { useEffect, useState } from 'react'

/**
 * The parameters of a link that the cloud made, such as the token of a password reset. They are in the fragment, which
 * browsers send to no server, and are removed from the address, so that the history does not keep them.
 */
export function useLinkParameters(): URLSearchParams {
  const [parameters] = useState(() => new URLSearchParams(window.location.hash.slice(1)))
  useEffect(() => {
    const { hash, pathname, search } = window.location
    if (hash !== '') window.history.replaceState(window.history.state, '', pathname + search)
  }, [])
  return parameters
}
