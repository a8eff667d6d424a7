import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from './client.ts'
import { reload } from './query-client.ts'
import type { components } from './schema.d.ts'
import { sessionQuery } from './sign-in.ts'

export type Login = components['schemas']['Login']
export type PersonalToken = components['schemas']['PersonalToken']
export type TokenScope = PersonalToken['scopes'][number]
export type LinkedAccount = components['schemas']['LinkedAccount']

/** How the user signs in. */
export const signInMethodsQuery = queryOptions({
  queryKey: ['account', 'sign-in-methods'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/auth/sign-in-methods', { signal })),
})

/** Where the user is signed in, the most recently used first. */
export const loginsQuery = queryOptions({
  queryKey: ['account', 'logins'],
  queryFn: async ({ signal }) => (await unwrap(api.GET('/api/auth/logins', { signal }))).logins,
})

/** The personal access tokens of the user, without their secrets. */
export const tokensQuery = queryOptions({
  queryKey: ['account', 'tokens'],
  queryFn: async ({ signal }) => (await unwrap(api.GET('/api/auth/tokens', { signal }))).tokens,
})

/** Changes the password, which ends the other logins and may revoke the tokens. */
export function useChangePassword() {
  const queryClient = useQueryClient()
  return async (body: components['schemas']['PasswordChange']): Promise<void> => {
    await unwrap(api.POST('/api/auth/change-password', { body }))
    await reload(queryClient, loginsQuery, tokensQuery)
  }
}

/** What the user needs to set up an authenticator app. */
export interface SecondFactorSetUp {
  /** For the app, as text or as QR code. */
  readonly totpURI: string
  readonly backupCodes: readonly string[]
}

/** Sets up, confirms and removes the codes of an authenticator app. */
export function useSecondFactor() {
  const queryClient = useQueryClient()
  const reloadSignIn = () => reload(queryClient, signInMethodsQuery, sessionQuery)
  return {
    /** Prepares it; codes are required once one was verified. */
    prepare: (password: string): Promise<SecondFactorSetUp> =>
      unwrap(api.POST('/api/auth/two-factor/enable', { body: { password } })),
    async verify(code: string): Promise<void> {
      await unwrap(api.POST('/api/auth/two-factor/verify-totp', { body: { code } }))
      await reloadSignIn()
    },
    async disable(password: string): Promise<void> {
      await unwrap(api.POST('/api/auth/two-factor/disable', { body: { password } }))
      await reloadSignIn()
    },
    newBackupCodes: async (password: string): Promise<readonly string[]> => {
      const request = api.POST('/api/auth/two-factor/generate-backup-codes', { body: { password } })
      return (await unwrap(request)).backupCodes
    },
  }
}

/** Links and unlinks accounts at OpenID Connect issuers. */
export function useLinkedAccounts() {
  const queryClient = useQueryClient()
  return {
    /** @returns the address at the issuer, which sends the browser back to `next` */
    link: async (issuer: string, next: string): Promise<string> =>
      (await unwrap(api.POST('/api/auth/sign-in-methods/oidc', { body: { issuer, next } }))).url,
    async unlink(id: string): Promise<void> {
      await unwrap(api.DELETE('/api/auth/sign-in-methods/{id}', { params: { path: { id } } }))
      await reload(queryClient, signInMethodsQuery)
    },
  }
}

/** Ends logins of the user. */
export function useLogins() {
  const queryClient = useQueryClient()
  return {
    async end(id: string): Promise<void> {
      await unwrap(api.DELETE('/api/auth/logins/{id}', { params: { path: { id } } }))
      await reload(queryClient, loginsQuery)
    },
    /** Ends all of them, the present one included. */
    async endAll(): Promise<void> {
      await unwrap(api.POST('/api/auth/logout-everywhere'))
      queryClient.clear()
    },
  }
}

/** Creates and revokes personal access tokens. */
export function useTokens() {
  const queryClient = useQueryClient()
  const reloadTokens = () => reload(queryClient, tokensQuery)
  return {
    /** @returns the token itself, which the cloud does not show again */
    async create(body: { name: string; scopes: TokenScope[]; expiresInDays: number }): Promise<string> {
      const { token } = await unwrap(api.POST('/api/auth/tokens', { body }))
      await reloadTokens()
      return token
    },
    async revoke(id: string): Promise<void> {
      await unwrap(api.DELETE('/api/auth/tokens/{id}', { params: { path: { id } } }))
      await reloadTokens()
    },
  }
}
