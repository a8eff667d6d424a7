import type { Manifest } from '@glasses-cloud/contract'
import type { AppRegistration } from '../features/catalogue/index.ts'
import { generateApiKey } from '../identity/index.ts'
import type { Operator } from './operator.ts'

/** The result of a registration; `apiKey` is null if no key was generated. */
export interface RegisteredApp {
  readonly packageName: string
  readonly apiKey: string | null
}

/**
 * Registers an app, or updates the registered app with its package name.
 * @param options.rotate generates a new key for a registered app; the previous key remains valid
 */
export async function registerApp(
  operator: Operator,
  manifest: Manifest,
  options: { readonly rotate?: boolean } = {},
): Promise<RegisteredApp> {
  const now = Date.now()
  const app = await operator.apps.register(await toRegistration(operator, manifest, now), now)
  const keys = await operator.apiKeys.list(app.id)
  if (keys.length > 0 && options.rotate !== true) return { packageName: app.packageName, apiKey: null }
  const { keyId, key, hash } = generateApiKey()
  await operator.apiKeys.add(app.id, keyId, hash, now)
  return { packageName: app.packageName, apiKey: key }
}

async function toRegistration(operator: Operator, manifest: Manifest, now: number): Promise<AppRegistration> {
  const { logoURL, webviewURL, developerId, organization, ...fields } = manifest
  return {
    ...fields,
    logoUrl: logoURL,
    webviewUrl: webviewURL === '' ? null : webviewURL,
    developerId: developerId?.toLowerCase(),
    organizationId:
      organization === undefined
        ? undefined
        : (await operator.organizations.ensure(organization, {}, now)).id,
  }
}
