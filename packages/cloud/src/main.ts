import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { Cloud } from './cloud.ts'

// Compiled code is kept beside the packages it comes from, which halves the time every later start takes. So the
// server itself must be imported after this line.
enableCompileCache(fileURLToPath(new URL('../../../node_modules/.cache/compiled', import.meta.url)))

/** How long a failed process takes to close its sockets. */
const CLOSE_SOCKETS_LIMIT_MS = 2_000

try {
  const [{ createCloud }, { loadConfig }] = await Promise.all([
    import('./cloud.ts'),
    import('./config/index.ts'),
  ])
  run(await createCloud(loadConfig()))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}

function run(cloud: Cloud): void {
  const { log } = cloud
  console.log(`Glasses Cloud is ready at ${cloud.publicUrl().href}`)

  let stopping = false
  const stop = (signal: NodeJS.Signals) => {
    if (stopping) process.exit(1)
    stopping = true
    log.info({ signal }, 'stopping')
    cloud.close().then(
      () => process.exit(0),
      (err) => {
        log.fatal({ err }, 'could not stop in order')
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
}
