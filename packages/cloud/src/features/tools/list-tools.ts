import { appTool, selectValidTools, tool } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint.ts'
import type { ToolEndpointDeps } from './deps.ts'
import { appParams } from '../../http/schemas.ts'
import { checkUser, common, visibleApp } from './schemas.ts'

/** Returns the tools an app declares. */
export const listAppTools = ({ catalogue }: ToolEndpointDeps) =>
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
  })

/** Returns the tools of the user's apps, including system apps. */
export const listUserTools = ({ tools }: ToolEndpointDeps) =>
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
  })
