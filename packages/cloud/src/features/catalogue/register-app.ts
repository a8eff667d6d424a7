import type { Manifest } from '@glasses-cloud/contract'
import { type ApiKeyStore, generateApiKey, type OrganizationStore } from '../../identity/index.ts'
import type { AppRegistration } from './app.ts'
import type { AppStore } from './app-store.ts'

export interface RegisterAppDeps {
  readonly apps: AppStore
  readonly apiKeys: ApiKeyStore
  readonly organizations: OrganizationStore
}

/** The result of a registration; `apiKey` is null if no key was generated. */
export interface RegisteredApp<ApiKey extends string | null = string | null> {
  readonly packageName: string
  readonly apiKey: ApiKey
}

/**
 * Registers an app, or updates the registered app with its package name. Creates the organization if necessary.
 * @param now epoch ms
 * @param options.rotate generates a new key for a registered app; the previous key remains valid
 */
export async function registerApp(
  deps: RegisterAppDeps,
  manifest: Manifest,
  now: number,
  options: { readonly rotate: true },
): Promise<RegisteredApp<string>>
export async function registerApp(
  deps: RegisterAppDeps,
  manifest: Manifest,
  now: number,
  options: { readonly rotate: boolean },
): Promise<RegisteredApp>
export async function registerApp(
  deps: RegisterAppDeps,
  manifest: Manifest,
  now: number,
  { rotate }: { readonly rotate: boolean },
): Promise<RegisteredApp> {
  const { apps, apiKeys } = deps
  const { id, packageName } = await apps.register(await toRegistration(deps, manifest, now), now)
  if (!rotate && (await apiKeys.list(id)).length > 0) return { packageName, apiKey: null }
  const { keyId, key, signingKey } = generateApiKey()
  await apiKeys.add(id, keyId, signingKey, now)
  return { packageName, apiKey: key }
}

async function toRegistration(
  { organizations }: RegisterAppDeps,
  manifest: Manifest,
  now: number,
): Promise<AppRegistration> {
  const { logoURL, webviewURL, developerId, organization, ...fields } = manifest
  return {
    ...fields,
    logoUrl: logoURL,
    webviewUrl: webviewURL === '' ? null : webviewURL,
    developerId: developerId?.toLowerCase(),
    developerUserId: developerId === undefined ? undefined : null,
    organizationId:
      organization === undefined ? undefined : (await organizations.ensure(organization, {}, now)).id,
  }
}
