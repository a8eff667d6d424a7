import { Type } from 'typebox'
import { appKeyHeaders } from '../../http/auth/index.ts'
import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import type { ReachableUser } from './hub.ts'

export interface AppMessageEndpointDeps {
  readonly appMessages: {
    /** Returns the users who are running an app, longest-running first. */
    usersOf(packageName: string): ReachableUser[] | Promise<ReachableUser[]>
  }
}

/** Maximum number of users in one response. */
const MAX_USERS = 1_000

export const appMessageEndpoints = (deps: AppMessageEndpointDeps): Endpoint[] => [discoverUsers(deps)]

/** Returns the users who are running the app of the API key (app-socket.md §3.1). */
const discoverUsers = ({ appMessages }: AppMessageEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: ['/api/app-communication/discover-users', '/api/tpa-communication/discover-users'],
    summary: 'List the users who are running the app',
    tags: ['app-messages'],
    style: 'bare',
    auth: appKeyHeaders,
    namedUser: 'none',
    schema: {
      body: Type.Object({
        packageName: Type.Optional(Type.String({ description: 'The package name of the API key' })),
        userId: Type.Optional(Type.Unknown({ description: 'Ignored: the API key identifies the caller' })),
        includeUserProfiles: Type.Optional(
          Type.Unknown({ description: 'Ignored: this cloud has no user profiles' }),
        ),
      }),
      response: {
        200: Type.Object({
          users: Type.Array(
            Type.Object({
              userId: Type.String({ description: 'E-mail' }),
              sessionId: Type.String({ description: 'App session id' }),
              joinedAt: Type.String({ description: 'ISO 8601' }),
            }),
            { description: `Longest-running first, at most ${MAX_USERS}` },
          ),
          totalUsers: Type.Integer({ description: 'Number of all users, including those not listed' }),
        }),
      },
    },
    errors: [],
    handler: async ({ caller }) => {
      const users = await appMessages.usersOf(caller.app.packageName)
      return { users: users.slice(0, MAX_USERS), totalUsers: users.length }
    },
  })
