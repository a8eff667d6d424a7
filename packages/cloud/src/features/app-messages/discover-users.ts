import { Type } from 'typebox'
import { appKeyHeaders } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import type { AppMessageEndpointDeps } from './deps.ts'

/** Maximum number of users in one response. */
const MAX_USERS = 1_000

/** Returns the users who are running the app of the API key (app-socket.md §3.1). */
export const discoverUsers = ({ appMessages }: AppMessageEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: '/api/app-communication/discover-users',
    summary: 'The users at whom the app runs now',
    tags: ['app-messages'],
    style: 'bare',
    auth: appKeyHeaders,
    schema: {
      body: Type.Object({
        packageName: Type.Optional(Type.String({ description: 'The package of the key' })),
        userId: Type.Optional(Type.Unknown({ description: 'Without effect: the key says who asks' })),
        includeUserProfiles: Type.Optional(
          Type.Unknown({ description: 'Without effect: there are no profiles to give' }),
        ),
      }),
      response: {
        200: Type.Object({
          users: Type.Array(
            Type.Object({
              userId: Type.String({ description: 'E-mail' }),
              sessionId: Type.String({ description: 'The app session' }),
              joinedAt: Type.String({ description: 'ISO 8601' }),
            }),
            { description: `The longest there first, ${MAX_USERS} at most` },
          ),
          totalUsers: Type.Integer({ description: 'All of them' }),
        }),
      },
    },
    errors: [],
    handler: async ({ caller }) => {
      const users = appMessages.usersOf(caller.app.packageName)
      return { users: users.slice(0, MAX_USERS), totalUsers: users.length }
    },
  })
