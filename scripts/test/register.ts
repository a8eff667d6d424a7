import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isMainThread } from 'node:worker_threads'

/**
 * Loaded into the process of each test file before the file itself. Records which process runs which file, because
 * node:test does not expose process ids and `Watchdog` needs them.
 */
const folder = process.env.TEST_PROCESSES
const file = process.argv[1]
if (folder !== undefined && file !== undefined && isMainThread) {
  writeFileSync(join(folder, String(process.pid)), file)
}
