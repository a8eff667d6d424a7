import { toolCall, toolCallResponse } from '@glasses-cloud/contract'
import { endpoint } from '../../http/endpoint.ts'
import type { ToolEndpointDeps } from './deps.ts'
import { appParams } from '../../http/schemas.ts'
import { checkUser, common, visibleApp } from './schemas.ts'

/** Calls a tool of an app for the user; the app need not run. */
export const callTool = ({ catalogue, tools }: ToolEndpointDeps) =>
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
  })
