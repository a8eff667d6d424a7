/**
 * `npm test`: runs all tests. Arguments select test files by a part of their path:
 * `npm test -- packages/cloud/src/db`; `--name CAT-3` selects tests by title.
 *
 * A test may run for --timeout seconds (180), and a file for --file-timeout seconds (400), after which it is killed. With REQUIRE_SERVICES=1 (continuous integration) a skipped test is a failure.
 * With RERUN_FAILED=1 (continuous integration) files that failed run once more, one at a time, and those that pass then are listed as flaky.
 * `--long` runs the long tests (`npm run test:long`), files `*.long.test.ts`, which a run of all tests leaves out. A selection
 * by path or title includes them.
 * `--release` runs the tests of a release instead (`npm run test:release`).
 * `--slowest 10` lists the files and the tests that took longest.
 */
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { run } from 'node:test'
import { parseArgs } from 'node:util'
import { findBundle } from './bundle/find.ts'
import { prebundlePackages } from './test/prebundled-packages.ts'
import { isFile, Reporter } from './test/reporter.ts'
import { createTemporaryFolder } from './test/temporary-folder.ts'
import { Watchdog } from './test/watchdog.ts'

const USAGE =
  'npm test -- [--name PATTERN] [--timeout SECONDS] [--file-timeout SECONDS] [--slowest COUNT] [--concurrency COUNT] [PART OF A PATH]...'
/** Tests of a release, which `npm run test:release` makes first. */
const RELEASE_TESTS = 'scripts/release/test/*.release.ts'
const TEST_FOLDERS = ['packages', 'apps', 'bench', 'scripts']
/** How the names of long tests end. */
const LONG_TEST = '.long.test.ts'

/** More failed files than this are no accident and do not run again. */
const MAX_RERUN = 5

/** The project of this script. Its own tests run it in others. */
const PROJECT = join(import.meta.dirname, '..')

const root = process.cwd()
const requireServices = process.env.REQUIRE_SERVICES === '1'

function parseArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        name: { type: 'string' },
        timeout: { type: 'string', default: '180' },
        'file-timeout': { type: 'string', default: '400' },
        slowest: { type: 'string', default: '0' },
        long: { type: 'boolean', default: false },
        release: { type: 'boolean', default: false },
        concurrency: { type: 'string', default: String(availableParallelism() + 2) },
      },
    })
    const timeoutMs = Number(values.timeout) * 1000
    const fileTimeoutMs = Number(values['file-timeout']) * 1000
    if (!(timeoutMs > 0 && fileTimeoutMs > 0))
      throw new Error('--timeout and --file-timeout must be positive numbers of seconds.')
    const slowest = Number(values.slowest)
    if (!Number.isInteger(slowest) || slowest < 0) throw new Error('--slowest must be a whole number.')
    const concurrency = Number(values.concurrency)
    if (!Number.isInteger(concurrency) || concurrency < 1)
      throw new Error('--concurrency must be a positive whole number.')
    return {
      name: values.name,
      timeoutMs,
      fileTimeoutMs,
      slowest,
      concurrency,
      long: values.long,
      release: values.release,
      pathParts: positionals,
    }
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\nUsage: ${USAGE}`)
    process.exit(2)
  }
}

/** All test files, or those below the given paths. A part that is no path from the root matches anywhere in a path. */
function findTestFiles({ name, long, release, pathParts }: ReturnType<typeof parseArguments>): string[] {
  const files = globSync(release ? RELEASE_TESTS : TEST_FOLDERS.map((folder) => `${folder}/**/*.test.ts`), {
    cwd: root,
    exclude: ['**/node_modules/**'],
  }).sort()
  const isSelection = pathParts.length > 0 || name !== undefined
  const all = files.filter((file) => (file.endsWith(LONG_TEST) ? long || isSelection : !long))
  if (pathParts.length === 0) return all
  const selected = pathParts.flatMap((part) => {
    const path = part.replace(`${root}/`, '').replace(/^\.\//, '')
    const below = all.filter((file) => file.startsWith(path))
    return below.length > 0 ? below : all.filter((file) => file.includes(path))
  })
  return [...new Set(selected)]
}

const options = parseArguments()
const { name, timeoutMs, fileTimeoutMs, slowest, concurrency, release, pathParts } = options
const files = findTestFiles(options)
if (files.length === 0) {
  console.error(
    pathParts.length > 0 ? `No test file matches: ${pathParts.join(' ')}` : 'No test files found.',
  )
  process.exit(1)
}

const watchdog = new Watchdog(fileTimeoutMs, (file) => {
  console.log(`✖ ${file} was killed, but a process that it started keeps its output open.`)
  process.exit(1)
})

// Compiling the sources takes more than half of the processor time of a small test file. Test processes, and the clouds
// and apps that they start, share the result.
process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules/.cache/compile')

// Loading the modules of large packages one by one takes a third of a small test file.
process.env.TEST_PACKAGES = await prebundlePackages()

// Each file that starts clouds from the bundle would make it, all at the same time.
const startsBundle = (file: string) => readFileSync(file, 'utf8').includes('spawnCloud(')
if (findBundle(PROJECT) === undefined && files.filter(startsBundle).length > 1)
  spawnSync(process.execPath, [join(PROJECT, 'scripts/bundle.ts')], { stdio: ['ignore', 2, 2] })

// Each commit of SQLite waits for the disk, which takes longer than all the rest of many tests.
const temporary = createTemporaryFolder()
if (temporary !== undefined) process.env.TMPDIR = temporary

/**
 * Runs files, each in a process of its own. Running all files in one process saves 0.2 s per file but uses one core: 38
 * files took 146 s that way and 105 s in two processes on two cores. Separate processes also keep a file that crashes or
 * hangs from affecting other files, and keep files from depending on state that another file left behind.
 */
async function runFiles(files: readonly string[], concurrency: number): Promise<Reporter> {
  const options = { filtered: name !== undefined, listsAllSkipped: requireServices }
  const reporter = new Reporter(root, options, (line) => console.log(line))
  const events = run({
    files,
    concurrency,
    timeout: timeoutMs,
    execArgv: ['--import', import.meta.resolve('./test/register.ts')],
    ...(name === undefined ? {} : { testNamePatterns: [name] }),
  })
  for await (const event of events) {
    if (event.type === 'test:dequeue' && isFile(event.data)) watchdog.start(event.data.file ?? '')
    if (event.type === 'test:complete' && isFile(event.data)) watchdog.stop(event.data.file ?? '')
    reporter.handle(event)
  }
  return reporter
}

/** Runs the files that failed again, alone: a test that needs a quiet machine passes then, a broken one fails again. */
async function rerunFailed({ failedFiles, result }: Reporter): Promise<Reporter> {
  console.log('\nThe files that failed, once more and one at a time:')
  const reporter = await runFiles(failedFiles, 1)
  reporter.printSummary()
  const flaky = result.failed.filter((place) => !reporter.result.failed.includes(place))
  if (flaky.length > 0) console.log(`\nFlaky:\n${flaky.map((place) => `  ⚠ ${place}`).join('\n')}`)
  return reporter
}

// More at a time than there are cores, because tests wait for timers and other processes.
const reporter = await runFiles(files, concurrency)
reporter.printSlowest(slowest)
reporter.printSummary()
const failures = reporter.failedFiles.length
const rerun =
  process.env.RERUN_FAILED === '1' && failures > 0 && failures <= MAX_RERUN
    ? await rerunFailed(reporter)
    : undefined
watchdog.close()

const { tests, skipped } = reporter.result
const servicesMissing = requireServices && skipped.length > 0
const ranNone = tests === 0 && skipped.length === 0
if (ranNone) console.error('No test ran.')
if (servicesMissing) console.error('REQUIRE_SERVICES=1: a skipped test is a failure.')
// The result of all, on one line, for those who run this step alone.
if (release) {
  const failed = reporter.result.failed.length
  console.log(`${Math.max(0, tests - failed)} passed, ${failed} failed`)
}
process.exit((rerun ?? reporter).passed && !ranNone && !servicesMissing ? 0 : 1)
