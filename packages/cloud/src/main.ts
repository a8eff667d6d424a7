import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { Cloud } from './cloud.ts'

// Caches compiled code in node_modules, which halves the time of later starts. The cache applies to modules that are
// imported after this line only.
enableCompileCache(fileURLToPath(new URL('../../../node_modules/.cache/compiled', import.meta.url)))

/** Time to close the sockets after an uncaught exception. */
const CLOSE_SOCKETS_LIMIT_MS = 2_000

try {
  const [{ createCloud }, { loadConfig }] = await Promise.all([
    import('./cloud.ts'),
    import('./config/index.ts'),
  ])
  await run(await createCloud(loadConfig()))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}

async function run(cloud: Cloud): Promise<void> {
  const { log } = cloud
  let stopping = false
  const stop = (signal: NodeJS.Signals) => {
    if (stopping) process.exit(1)
    stopping = true
    log.info({ signal }, 'stopping')
    cloud.close().then(
      () => process.exit(0),
      (err) => {
        log.fatal({ err }, 'shutdown failed')
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)

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
  console.log(
    ['Glasses Cloud is ready at', cloud.publicUrl().href, cloud.limitation].filter(Boolean).join(' '),
  )
}
