/*
 * A process that runs test files, one after the other. It receives their paths from `runFiles` and sends an `Answer` for
 * each. Files of one worker share the modules that they import.
 */
import { describe } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { FILE_SUITE, type FileReport } from './file-report.ts'
import { collector } from './reporter.ts'

/** What became of a file, and how large the process is after it. */
export interface Answer {
  readonly report: FileReport
  readonly residentBytes: number
}

/** Time within which a file must have closed what it opened. */
const CLOSE_TIMEOUT_MS = Number(process.env.TEST_CLOSE_TIMEOUT_MS ?? 20_000)
const CLOSE_POLL_MS = 5
/** Node counts these also when they are paused, and keep no process alive. */
const MAY_BE_PAUSED = ['PipeWrap', 'TCPSocketWrap', 'TLSWrap']

/** With a filter by title, a file may have no events. */
const isFiltered = process.execArgv.some((arg) => arg.startsWith('--test-name-pattern'))

// node:test assigns an error that no test catches to the test that runs, or else only notes it at the end of the process.
process.on('uncaughtException', (error) => collector.fail(error))
process.on('unhandledRejection', (error) => collector.fail(error))

// The runner has ended.
process.on('disconnect', () => process.exit())

process.on('message', async (file: string) => {
  const before = countByKind()
  const functions = sharedFunctions()
  // Awaiting the suite is not enough: its last event comes later.
  const completed = collector.completed()
  const suite = describe(FILE_SUITE, async () => {
    await import(pathToFileURL(file).href)
  })
  await (isFiltered ? suite.then(() => delay(0)) : completed)
  const open = await waitUntilClosed(before)
  if (open.length > 0)
    collector.fail(`${CLOSE_TIMEOUT_MS / 1000} s after its last test it has still open: ${open.join(', ')}.`)
  for (const [name, value] of Object.entries(sharedFunctions()))
    if (value !== functions[name as keyof typeof functions]) collector.fail(`It has left ${name} replaced.`)
  const answer: Answer = { report: collector.take(), residentBytes: process.memoryUsage.rss() }
  process.send?.(answer)
})

/** Waits until nothing keeps the process alive that did not before the file. Returns what still does. */
async function waitUntilClosed(before: ReadonlyMap<string, number>): Promise<string[]> {
  for (const deadline = performance.now() + CLOSE_TIMEOUT_MS; ; await delay(CLOSE_POLL_MS)) {
    const open = [...countByKind()]
      .filter(([kind, count]) => count > (before.get(kind) ?? 0))
      .map(([kind, count]) => `${kind} (${count})`)
    if (open.length === 0 || performance.now() > deadline) return open
  }
}

/** Counts the timers, servers, processes and so on that keep this process alive. */
function countByKind(): Map<string, number> {
  const active = process.getActiveResourcesInfo().filter((kind) => !MAY_BE_PAUSED.includes(kind))
  const byKind = Map.groupBy(active, (kind) => kind)
  return new Map([...byKind].map(([kind, all]) => [kind, all.length]))
}

/** What tests often replace, and later files of this process use. */
function sharedFunctions() {
  return {
    'Date.now': Date.now,
    'performance.now': performance.now,
    setTimeout,
    setInterval,
    fetch,
    WebSocket,
  }
}
