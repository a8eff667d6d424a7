import type { Credential } from '../../identity/index.ts'

/** What callers of the authentication schemes say about their credential. */
interface Caller {
  readonly app?: { readonly keyId: string } | undefined
  readonly keyId?: string | undefined
  readonly personalTokenId?: string | undefined
  readonly loginId?: string | undefined
}

/** Returns the stored credential that authenticated a caller; undefined if there is none, as for a foreign token. */
export function credentialOf(caller: unknown): Credential | undefined {
  const { app, keyId = app?.keyId, personalTokenId, loginId } = (caller ?? {}) as Caller
  if (keyId !== undefined) return { table: 'api_keys', id: keyId }
  if (personalTokenId !== undefined) return { table: 'personal_tokens', id: personalTokenId }
  return loginId === undefined ? undefined : { table: 'logins', id: loginId }
}
