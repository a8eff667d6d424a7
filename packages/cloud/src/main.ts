import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { Cloud } from './cloud.ts'

// Compiled code is kept beside the packages it comes from, which halves the time every later start takes. So the
// server itself must be imported after this line.
enableCompileCache(fileURLToPath(new URL('../../../node_modules/.cache/compiled', import.meta.url)))

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

  // What nobody awaited or caught has left something half done; a fresh process is the safe state.
  for (const event of ['unhandledRejection', 'uncaughtException'] as const) {
    process.on(event, (err: unknown) => {
      log.fatal({ err }, event)
      process.exit(1)
    })
  }
}
