import type { Feature } from '../../feature.ts'
import type { ApiKeyStore } from '../../identity/index.ts'
import type { Clock } from '../../time/index.ts'
import type { WebhookClient } from '../../webhooks/index.ts'
import type { Catalogue } from '../catalogue/index.ts'
import { toolEndpoints } from './endpoints.ts'
import { Tools } from './tools.ts'

export interface ToolsFeatureDeps {
  readonly catalogue: Catalogue
  readonly apiKeyStore: ApiKeyStore
  readonly webhooks: WebhookClient
  readonly clock: Clock
  /** Aborts calls of app servers when the cloud shuts down. */
  readonly signal: AbortSignal
}

/** Tools of apps that assistants call (app-socket.md §3.3), under `/api/tools`. */
export function createTools({ catalogue, apiKeyStore, webhooks, clock, signal }: ToolsFeatureDeps): Feature {
  const tools = new Tools({ catalogue, apiKeys: apiKeyStore, webhooks, clock, signal })
  return {
    name: 'tools',
    endpoints: toolEndpoints({ tools, catalogue }),
  }
}
