import type { ApiKeyStore } from '../../identity/index.ts'
import type { WebhookTarget } from '../../webhooks/index.ts'
import type { App } from './app.ts'

/** Returns the base URL of an app's server and the key hashes that sign calls to it. */
export async function webhookTarget(
  apiKeys: ApiKeyStore,
  { id, publicUrl }: Pick<App, 'id' | 'publicUrl'>,
): Promise<WebhookTarget> {
  const keys = await apiKeys.list(id)
  return { publicUrl, keyHashes: keys.map(({ hash }) => hash) }
}
