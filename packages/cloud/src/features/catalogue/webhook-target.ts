import type { ApiKeyStore } from '../../identity/index.ts'
import type { WebhookTarget } from '../../webhooks/index.ts'
import type { App } from './app.ts'

/** How an app's server is called: where it is, and the live keys that calls of it are signed with. */
export async function webhookTarget(
  apiKeys: ApiKeyStore,
  { id, publicUrl }: Pick<App, 'id' | 'publicUrl'>,
): Promise<WebhookTarget> {
  const keys = await apiKeys.list(id)
  return { publicUrl, keyHashes: keys.map(({ hash }) => hash) }
}
