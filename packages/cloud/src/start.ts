import type { Cloud } from './cloud.ts'
import { baseUrlOf } from './http/request-origin.ts'
import { onStopSignal } from './stop-signals.ts'

/** Time to close the sockets after an uncaught exception. */
const CLOSE_SOCKETS_LIMIT_MS = 2_000

/**
 * Runs the cloud in this process until SIGTERM, SIGINT or SIGHUP, with the settings of the environment. If it cannot start,
 * it prints the reason on standard error and exits with 1.
 */
export async function startCloud(): Promise<void> {
  try {
    const [{ createCloud }, { loadConfig }, { lockDataFolder }] = await Promise.all([
      import('./cloud.ts'),
      import('./config/index.ts'),
      import('./db/index.ts'),
    ])
    const config = loadConfig()
    // Nodes of a cluster may share a folder.
    if (config.data.redis === undefined) lockDataFolder(config.data.dir)
    await run(await createCloud(config))
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  }
}

async function run(cloud: Cloud): Promise<void> {
  const { log } = cloud
  onStopSignal((signal) => {
    log.info({ signal }, 'stopping')
    cloud.close().then(
      () => process.exit(0),
      (err) => {
        log.fatal({ err }, 'shutdown failed')
        process.exit(1)
      },
    )
  })

  // An uncaught exception outside the sessions may leave the process in an inconsistent state, so it must end. Clients
  // reconnect on the code that their sockets are closed with.
  let hasFailed = false
  for (const event of ['unhandledRejection', 'uncaughtException'] as const) {
    process.on(event, (err: unknown) => {
      log.fatal({ err }, event)
      if (hasFailed) process.exit(1)
      hasFailed = true
      setTimeout(() => process.exit(1), CLOSE_SOCKETS_LIMIT_MS)
      cloud.closeSockets().finally(() => process.exit(1))
    })
  }

  const { setUpLink } = cloud.features.auth
  const link = await setUpLink()
  if (link !== undefined) console.log(`Create its administrator at ${link}`)
  // Printed last: whoever waits for this line may stop the process at once.
  const { limitation, localUrl } = cloud
  const local = localUrl && `and, on this machine, ${localUrl}/`
  console.log(
    ['Glasses Cloud is ready at', `${baseUrlOf(cloud.publicUrl())}/`, local, limitation]
      .filter(Boolean)
      .join(' '),
  )
}
