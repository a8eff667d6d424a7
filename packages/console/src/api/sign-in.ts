import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from './client.ts'
import type { components } from './schema.d.ts'
import { announceSignIn, sessionWatch } from './session.ts'

/** What the sign-in page of this cloud offers. */
export type SignInOptions = components['schemas']['SignInOptions']

/** Reads who is signed in; if the session of a user has ended elsewhere, after the next sign-in. */
async function readUser({ signal }: { readonly signal: AbortSignal }) {
  for (;;) {
    const user = (await unwrap(api.GET('/api/auth/get-session', { signal })))?.user ?? null
    if (user !== null) sessionWatch.setUser(user)
    if (user !== null || !(await sessionWatch.hasEnded())) return user
    await sessionWatch.resumed()
  }
}

/** The signed-in user. */
export type User = NonNullable<Awaited<ReturnType<typeof readUser>>>

/** The signed-in user, or null. */
export const sessionQuery = queryOptions({ queryKey: ['session'], queryFn: readUser })

const NOT_KEPT =
  'The browser did not keep the sign-in. Open the cloud at its https address if it has one, and allow its cookies.'

export const signInOptionsQuery = queryOptions({
  queryKey: ['sign-in-options'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/auth/options', { signal })),
})

/**
 * Forgets everything that was loaded for another user, and loads the session again. Rejects if the browser has not kept it:
 * it discards the cookie of a cloud with https at an address without, and where the user blocks cookies.
 */
export function useSignedIn() {
  const queryClient = useQueryClient()
  return async () => {
    queryClient.clear()
    if ((await queryClient.fetchQuery(sessionQuery)) === null) throw new Error(NOT_KEPT)
    announceSignIn()
  }
}
