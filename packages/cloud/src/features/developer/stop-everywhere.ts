import type { FastifyBaseLogger } from 'fastify'
import type { SessionDirectory } from '../../session-host/index.ts'
import type { App } from '../catalogue/index.ts'

/** Sessions that are notified at the same time. */
const BATCH_SIZE = 50

/** Stops a deleted app in the sessions of users. Failures are logged. */
export async function stopEverywhere(
  { sessions }: { readonly sessions: SessionDirectory },
  { packageName }: Pick<App, 'packageName'>,
  userIds: readonly string[],
  log: FastifyBaseLogger,
): Promise<void> {
  for (let start = 0; start < userIds.length; start += BATCH_SIZE) {
    const stops = userIds.slice(start, start + BATCH_SIZE).map(async (userId) => {
      const session = await sessions.find(userId)
      await session?.stopApp(packageName)
    })
    for (const stop of await Promise.allSettled(stops))
      if (stop.status === 'rejected')
        log.warn(
          { err: stop.reason, packageName },
          'console: a deleted app could not be stopped in a session',
        )
  }
}
