import type { Feature } from '../../feature.ts'
import type { Clock } from '../../session/index.ts'
import { discoverUsers } from './discover-users.ts'
import { AppMessageHub } from './hub.ts'

/** Messages and rooms between the sessions of one app, and `/api/app-communication`. */
export function createAppMessages({
  clock,
}: {
  readonly clock: Clock
}): Feature & { readonly appMessages: AppMessageHub } {
  const appMessages = new AppMessageHub(clock)
  return {
    name: 'app-messages',
    appMessages,
    endpoints: [discoverUsers({ appMessages })],
    stop: () => appMessages.close(),
  }
}
