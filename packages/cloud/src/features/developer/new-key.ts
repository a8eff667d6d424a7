import { type ApiKeyStore, generateApiKey } from '../../identity/index.ts'
import type { App } from '../catalogue/index.ts'

/** Creates an API key of an app. A third key replaces the oldest. */
export async function createKey(
  { apiKeyStore, now }: { readonly apiKeyStore: ApiKeyStore; readonly now: () => number },
  { id: appId }: Pick<App, 'id'>,
) {
  const { keyId, key, hash } = generateApiKey()
  const createdAt = now()
  await apiKeyStore.add(appId, keyId, hash, createdAt)
  return { id: keyId, createdAt: new Date(createdAt).toISOString(), apiKey: key }
}
