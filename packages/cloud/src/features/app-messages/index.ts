import type { Logger } from 'pino'
import type { Bus } from '../../bus/index.ts'
import type { Config } from '../../config/index.ts'
import type { Database } from '../../db/index.ts'
import type { Feature } from '../../feature.ts'
import type { AppMessaging } from '../../session/index.ts'
import type { Clock } from '../../time/index.ts'
import { ChannelOwnerStore } from './cluster/channel-owner-store.ts'
import { ClusterMessages } from './cluster/cluster-messages.ts'
import { appMessageEndpoints } from './endpoints.ts'
import { AppMessageHub } from './hub.ts'

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
