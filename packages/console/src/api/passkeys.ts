import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from './client.ts'
import { reload } from './query-client.ts'
import type { components } from './schema.d.ts'

export type Passkey = components['schemas']['Passkey']

/** Hosts for which browsers have no passkeys, even where the cloud has them at a name. */
const IP_ADDRESS = /^\[|^[\d.]+$/

/** Whether this browser has passkeys; whether they work at the address of the cloud is in the sign-in options. */
export const hasPasskeys =
  typeof PublicKeyCredential !== 'undefined' &&
  typeof PublicKeyCredential.parseRequestOptionsFromJSON === 'function' &&
  !IP_ADDRESS.test(window.location.hostname)

/** Why the browser did not use or create a passkey; the text of the page says what to do. */
export class PasskeyError extends Error {
  override readonly name = 'PasskeyError'
  /** `exists`: the authenticator has a passkey of this account already. */
  readonly reason: 'canceled' | 'exists'

  constructor(reason: 'canceled' | 'exists', options: ErrorOptions) {
    super(`The passkey was not used: ${reason}`, options)
    this.reason = reason
  }
}

/** The passkeys of the user. */
export const passkeysQuery = queryOptions({
  queryKey: ['account', 'passkeys'],
  queryFn: async ({ signal }) => (await unwrap(api.GET('/api/auth/passkeys', { signal }))).passkeys,
})

/**
 * Signs in with a passkey that the user chooses in a dialog of the browser.
 * @throws {PasskeyError} if the user cancels, {ApiError} if the cloud rejects the passkey
 */
export async function signInWithPasskey(): Promise<void> {
  const options = await unwrap(api.POST('/api/auth/passkeys/sign-in-options'))
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as PublicKeyCredentialRequestOptionsJSON,
  )
  const credential = await credentialOf(() => navigator.credentials.get({ publicKey }))
  await unwrap(api.POST('/api/auth/passkeys/sign-in', { body: { credential: credential as never } }))
}

/** Adds, renames and removes passkeys of the user. */
export function usePasskeys() {
  const queryClient = useQueryClient()
  const reloadPasskeys = () => reload(queryClient, passkeysQuery)
  return {
    /** @throws {PasskeyError} if the user cancels, or the authenticator has a passkey already */
    async add(name: string): Promise<void> {
      const options = await unwrap(api.POST('/api/auth/passkeys/registration-options'))
      const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
        options as PublicKeyCredentialCreationOptionsJSON,
      )
      const credential = await credentialOf(() => navigator.credentials.create({ publicKey }))
      await unwrap(api.POST('/api/auth/passkeys', { body: { name, credential: credential as never } }))
      await reloadPasskeys()
    },
    async rename(id: string, name: string): Promise<void> {
      const request = api.PATCH('/api/auth/passkeys/{id}', { params: { path: { id } }, body: { name } })
      await unwrap(request)
      await reloadPasskeys()
    },
    async remove(id: string): Promise<void> {
      await unwrap(api.DELETE('/api/auth/passkeys/{id}', { params: { path: { id } } }))
      await reloadPasskeys()
    },
  }
}

async function credentialOf(ask: () => Promise<Credential | null>): Promise<unknown> {
  const credential = await ask().catch((cause: unknown) => {
    const exists = cause instanceof DOMException && cause.name === 'InvalidStateError'
    throw new PasskeyError(exists ? 'exists' : 'canceled', { cause })
  })
  if (!(credential instanceof PublicKeyCredential)) throw new PasskeyError('canceled', {})
  return credential.toJSON()
}
