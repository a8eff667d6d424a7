import type { Manifest } from '@glasses-cloud/contract'
import type { AppRegistration } from '../features/catalogue/index.ts'
import { newApiKey } from '../identity/index.ts'
import type { Operator } from './operator.ts'

/** What a registration answers: the key if one was made, which is shown this once. */
export interface Registered {
  readonly packageName: string
  readonly apiKey: string | null
}

/**
 * Registers an app, or updates the one of that package name.
 * @param options.rotate makes a new key for a known app; of the older ones the newest goes on working
 */
export async function registerApp(
  operator: Operator,
  manifest: Manifest,
  options: { readonly rotate?: boolean } = {},
): Promise<Registered> {
  const now = Date.now()
  const app = await operator.apps.register(await registrationOf(operator, manifest, now), now)
  const keys = await operator.apiKeys.list(app.id)
  if (keys.length > 0 && options.rotate !== true) return { packageName: app.packageName, apiKey: null }
  const { keyId, key, hash } = newApiKey()
  await operator.apiKeys.add(app.id, keyId, hash, now)
  return { packageName: app.packageName, apiKey: key }
}

async function registrationOf(operator: Operator, manifest: Manifest, now: number): Promise<AppRegistration> {
  const { logoURL, webviewURL, developerId, organization, ...same } = manifest
  return {
    ...same,
    logoUrl: logoURL,
    webviewUrl: webviewURL === '' ? null : webviewURL,
    developerId: developerId?.toLowerCase(),
    organizationId:
      organization === undefined
        ? undefined
        : (await operator.organizations.ensure(organization, {}, now)).id,
  }
}
