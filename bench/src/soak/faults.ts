import { setTimeout as delay } from 'node:timers/promises'
import type { AppServer } from '../support/app-server.ts'
import { type CloudNode, CURRENT, type SoakCloud } from './soak-cloud.ts'
import type { SoakUser } from './soak-user.ts'

/** A fault, which ends when `run` resolves. */
export interface Fault {
  readonly name: string
  readonly run: () => Promise<void>
  /** The errors that it may cause: in a log, or as the message of a response with status 500. */
  readonly causes?: RegExp
}

/** Until a supervisor starts a killed process again. */
const RESTART_DELAY_MS = 5_000
/** Longer than a lease, so that other nodes take over the sessions. */
const FREEZE_MS = 8_000
const REDIS_OUTAGE_MS = 2_000
const DATABASE_STALL_MS = 4_000
const APP_OUTAGE_MS = 5_000

/** A request that was writing fails, and says why: only the client knows whether it may be repeated. */
const LOST_WRITES = /ConnectionLostError|Query read timeout|status 500/

/** The faults of a soak, in the order in which they happen; the first node is never killed, so that its memory can be watched. */
export function faultsOf(cloud: SoakCloud, app: AppServer, users: readonly SoakUser[]): Fault[] {
  const clients: Fault[] = [
    {
      name: 'all glasses lose their connection at once',
      run: async () => {
        for (const user of users) user.loseConnection()
      },
    },
    { name: `the app server is away for ${APP_OUTAGE_MS / 1_000} s`, run: () => app.outage(APP_OUTAGE_MS) },
  ]
  const [, second, third] = cloud.nodes
  const { shared } = cloud
  if (!shared || !second || !third) return clients
  const { redis, databaseProxy } = shared
  return [
    killed(third),
    {
      name: `Redis is killed, and starts again empty after ${REDIS_OUTAGE_MS / 1_000} s`,
      run: async () => {
        await redis.kill()
        await delay(REDIS_OUTAGE_MS)
        await redis.start()
      },
    },
    {
      name: `PostgreSQL does not answer for ${DATABASE_STALL_MS / 1_000} s`,
      run: async () => {
        databaseProxy.delayMs = DATABASE_STALL_MS
        await delay(DATABASE_STALL_MS)
        databaseProxy.delayMs = 0
      },
      causes: LOST_WRITES,
    },
    {
      name: 'all connections to PostgreSQL break',
      run: async () => databaseProxy.break(),
      causes: LOST_WRITES,
    },
    { name: `${second.name} is frozen for ${FREEZE_MS / 1_000} s`, run: () => second.freeze(FREEZE_MS) },
    ...clients,
    killed(second),
  ]
}

function killed(node: CloudNode): Fault {
  return {
    name: `${node.name} is killed, and starts again after ${RESTART_DELAY_MS / 1_000} s`,
    run: async () => {
      await node.kill()
      await delay(RESTART_DELAY_MS)
      await node.start(CURRENT)
    },
  }
}
