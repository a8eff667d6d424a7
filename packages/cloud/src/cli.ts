import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// As in main.ts, the cache applies to modules that are imported after this line only.
enableCompileCache(fileURLToPath(new URL('../../../node_modules/.cache/compiled', import.meta.url)))

const [{ runCommandLine }, { loadConfig }] = await Promise.all([
  import('./cli/run.ts'),
  import('./config/index.ts'),
])
process.exitCode = await runCommandLine(process.argv.slice(2), loadConfig, process)
