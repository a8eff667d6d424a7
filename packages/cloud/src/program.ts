import { flushCompileCache } from 'node:module'
import { mapStackTraces } from './stack-traces.ts'

// The program `glasses-cloud` of an installed release: starts the cloud, and runs every command of the command line. It
// runs from the bundle only; a clone has main.ts and cli.ts. Its launchers name the folder of the compile cache.

/** Time from the start of the server until compiled code is written, which blocks it for some milliseconds. */
const FLUSH_DELAY_MS = 1_000

mapStackTraces()
const args = process.argv.slice(2)
if (args.length === 1 && args[0] === 'start') {
  // Loads nothing of the command line.
  const { startCloud } = await import('./start.ts')
  await startCloud()
  // Node writes the cache when the process exits, but a process that is killed should make the next start faster as well.
  setTimeout(flushCompileCache, FLUSH_DELAY_MS).unref()
} else {
  const [{ runCommandLine }, { loadConfig }] = await Promise.all([
    import('./cli/run.ts'),
    import('./config/index.ts'),
  ])
  process.exitCode = await runCommandLine(args, loadConfig, process)
}
