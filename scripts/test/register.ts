import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isMainThread } from 'node:worker_threads'

/**
 * Loaded into each test file's process before the file itself. Leaves a note of which process runs which file,
 * because node:test keeps the process id to itself and `KillSwitch` needs it.
 */
const folder = process.env.TEST_PROCESSES
const file = process.argv[1]
if (folder !== undefined && file !== undefined && isMainThread) {
  writeFileSync(join(folder, String(process.pid)), file)
}
