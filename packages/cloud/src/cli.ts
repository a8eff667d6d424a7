import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// As in main.ts: what runs the command must be imported after this line.
enableCompileCache(fileURLToPath(new URL('../../../node_modules/.cache/compiled', import.meta.url)))

const [{ runCommandLine }, { loadConfig }] = await Promise.all([
  import('./cli/run.ts'),
  import('./config/index.ts'),
])
process.exitCode = await runCommandLine(process.argv.slice(2), loadConfig, process)
