import { ownAddress } from '@glasses-cloud/contract/own-address'
import { useSearch } from '@tanstack/react-router'

/** Pages that sign in, and answers that are no pages: nobody wants to go there. */
const NO_NEXT_PAGE = /^\/(?:sign-in|sign-up|api)(?:[/?#]|$)/

/**
 * Returns the address of the page that follows after signing in. It is validated here, where it is used: the router merges
 * the parameters of the address into those that a route has validated.
 */
export function useNextPage(): string {
  const { to } = useSearch({ strict: false })
  const next = ownAddress(to, window.location.origin)
  return NO_NEXT_PAGE.test(next) ? '/' : next
}

/** Whether the next page accepts an invitation to an organization. */
export const isInvitation = (next: string) => next.startsWith('/join#')
