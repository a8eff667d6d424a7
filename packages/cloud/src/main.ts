import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { mapStackTraces } from './stack-traces.ts'

// Caches compiled code in node_modules, which halves the time of later starts. The cache applies to modules that are
// imported after this line only.
enableCompileCache(fileURLToPath(new URL('../../../node_modules/.cache/compiled', import.meta.url)))

mapStackTraces()
const { startCloud } = await import('./start.ts')
await startCloud()
