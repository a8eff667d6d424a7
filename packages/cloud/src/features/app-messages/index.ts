import type { Logger } from 'pino'
import { Type } from 'typebox'
import type { Bus } from '../../bus/index.ts'
import type { Config } from '../../config/index.ts'
import type { Database } from '../../db/index.ts'
import type { Feature } from '../../feature.ts'
import { appKeyHeaders } from '../../http/auth/index.ts'
import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import type { AppMessaging } from '../../session/index.ts'
import type { Clock } from '../../time/index.ts'
import { ChannelOwnerStore } from './cluster/channel-owner-store.ts'
import { ClusterMessages } from './cluster/cluster-messages.ts'
import { AppMessageHub, type ReachableUser } from './hub.ts'

export interface AppMessageEndpointDeps {
  readonly appMessages: {
    /** Returns the users who are running an app, longest-running first. */
    usersOf(packageName: string): ReachableUser[] | Promise<ReachableUser[]>
  }
}

/** Maximum number of users in one response. */
const MAX_USERS = 1_000

const appMessageEndpoints = (deps: AppMessageEndpointDeps): Endpoint[] => [discoverUsers(deps)]

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

export interface AppMessagesDeps {
  readonly config: Pick<Config, 'data'>
  readonly db: Database
  readonly bus: Bus
  readonly clock: Clock
  readonly log: Logger
}

/** Messages and rooms between the sessions of one app, and `/api/app-communication`. */
export function createAppMessages(deps: AppMessagesDeps): Feature & { readonly appMessages: AppMessaging } {
  const { config, db, bus, clock, log } = deps
  const hub = new AppMessageHub(clock)
  if (!config.data.redis)
    return {
      name: 'app-messages',
      appMessages: hub,
      endpoints: appMessageEndpoints({ appMessages: hub }),
      stop: () => hub.close(),
    }
  const cluster = new ClusterMessages({ hub, bus, owners: new ChannelOwnerStore(db), clock, log })
  return {
    name: 'app-messages',
    appMessages: cluster,
    endpoints: appMessageEndpoints({ appMessages: cluster }),
    stop: () => cluster.stop(),
    close: () => cluster.close(),
  }
}
