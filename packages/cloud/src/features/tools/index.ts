import { appTool, selectValidTools, tool, toolCall, toolCallResponse } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import type { Feature } from '../../feature.ts'
import { allowedApiKey, coreToken, eitherOf } from '../../http/auth/index.ts'
import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import { appParams } from '../../http/schemas.ts'
import { type ApiKeyStore, readEmailInUrl, type User } from '../../identity/index.ts'
import type { Clock } from '../../time/index.ts'
import type { WebhookClient } from '../../webhooks/index.ts'
import type { App, Catalogue } from '../catalogue/index.ts'
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

export interface ToolEndpointDeps {
  readonly catalogue: Catalogue
  readonly tools: Tools
}

/** Called by the user or by an assistant that may act for users. */
const common = { tags: ['tools'], style: 'bare', auth: eitherOf(coreToken, allowedApiKey) } as const

const toolEndpoints = ({ catalogue, tools }: ToolEndpointDeps): Endpoint[] => [
  endpoint({
    ...common,
    method: 'GET',
    url: '/api/tools/apps/:packageName/tools',
    summary: 'List the tools of an app',
    schema: { params: appParams, response: { 200: Type.Array(tool) } },
    errors: ['APP_NOT_FOUND'],
    invalid: 'APP_NOT_FOUND',
    handler: async ({ caller: { user }, params }) => {
      const { tools } = await visibleApp(catalogue, user, params.packageName)
      return selectValidTools(tools)
    },
  }),
  endpoint({
    ...common,
    method: 'GET',
    url: '/api/tools/users/:userId/tools',
    summary: "List the tools of a user's apps",
    schema: {
      params: Type.Object({ userId: Type.String({ description: 'E-mail of the caller' }) }),
      response: { 200: Type.Array(appTool) },
    },
    errors: ['TOOL_USER_MISMATCH'],
    handler: async ({ caller: { user }, params }) => {
      checkUser(user, params.userId)
      return tools.listByUser(user)
    },
  }),
  endpoint({
    ...common,
    method: 'POST',
    url: '/api/tools/apps/:packageName/tool',
    summary: 'Call a tool of an app',
    schema: { params: appParams, body: toolCall, response: { 200: toolCallResponse } },
    errors: [
      'TOOL_USER_MISMATCH',
      'APP_NOT_FOUND',
      'TOOLS_FORBIDDEN',
      'TOOL_NOT_FOUND',
      'TOOL_FAILED',
      'TOOL_TIMEOUT',
    ],
    invalid: ({ part }) => (part === 'params' ? 'APP_NOT_FOUND' : 'BAD_REQUEST'),
    limits: { bodyBytes: 64 * 1024 },
    handler: async ({ caller: { user }, params, body }) => {
      const { toolId, toolParameters = {}, userId } = body
      checkUser(user, userId)
      const app = await visibleApp(catalogue, user, params.packageName)
      const { reply, ignored } = await tools.call(user, app, { toolId, toolParameters })
      return {
        status: 'success' as const,
        reply,
        ...(ignored.length === 0 ? {} : { ignoredParameters: [...ignored] }),
      }
    },
  }),
]

/**
 * Returns an app.
 * @throws Fault `APP_NOT_FOUND` if the user may not see it
 */
async function visibleApp(catalogue: Catalogue, user: User, packageName: string): Promise<App> {
  const app = await catalogue.find(packageName, user)
  if (app === undefined) throw fault('APP_NOT_FOUND')
  return app
}

/**
 * Rejects a request that names another user than its credential.
 * @throws Fault `TOOL_USER_MISMATCH`, which does not reveal whether the named user exists
 */
function checkUser(user: User, userId: string | undefined): void {
  if (userId !== undefined && readEmailInUrl(userId) !== user.email) throw fault('TOOL_USER_MISMATCH')
}
