/**
 * `npm test`: runs all tests. Arguments select test files by a part of their path:
 * `npm test -- packages/cloud/src/db`; `--name CAT-3` selects tests by title, and `--changed` the files that reach by their
 * imports what is not committed, or what differs from a commit (`--changed=main`): for each changed file the nearest.
 *
 * Files run in a few processes, in an order that `--seed` repeats; `--isolate` runs each in a process of its own. A test may
 * run for --timeout seconds (180), and a file for --file-timeout seconds (400), after which its process is killed.
 * With REQUIRE_SERVICES=1 (continuous integration) a skipped test is a failure.
 * `--long` runs the long tests (`npm run test:long`): files `*.long.test.ts`, which a run of all tests leaves out, and the whole
 * of those named `*.search.test.ts`, of which a run of all tests tries a fifth. `--release` runs those of a release (`npm run
 * test:release`). Tests of the tools in `scripts` run if a tool or a package has
 * changed, and with `--tools`. A selection by path or title includes all.
 * `--slowest 10` lists the files and the tests that took longest; `--list-skipped FILE` writes the paths of the files with
 * skipped tests to a file, to run those where nothing is missing.
 */
import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { findBundle } from './bundle/find.ts'
import { changedFiles, selectReaching } from './test/changed.ts'
import { shuffle } from './test/shuffle.ts'
import { Summary } from './test/summary.ts'
import { createTemporaryFolder } from './test/temporary-folder.ts'
import { runFiles } from './test/worker-pool.ts'

const USAGE =
  'npm test -- [--name PATTERN] [--changed[=COMMIT]] [--seed NUMBER] [--isolate] [--timeout SECONDS] [--file-timeout SECONDS] [--slowest COUNT] [--concurrency COUNT] [--tools] [PART OF A PATH]...'
/** Tests of a release, which `npm run test:release` makes first. */
const RELEASE_TESTS = 'scripts/release/test/*.release.ts'
const TEST_FOLDERS = ['packages', 'apps', 'bench', 'scripts']
/** How the names of long tests end. */
const LONG_TEST = '.long.test.ts'
/** How the names of tests end that try generated inputs: a fifth of them in `npm test`, all in a long run. */
const SEARCH_TEST = '.search.test.ts'
/** What tests of tools depend on. */
const TOOL_INPUTS = /^scripts\/|(^|\/)package(-lock)?\.json$/

/** The number of test files that `--changed` selects for a changed file. */
const MAX_PER_CHANGE = 15

/** The project of this script. Its own tests run it in others. */
const PROJECT = join(import.meta.dirname, '..')

const root = process.cwd()
const startedAt = performance.now()
const requireServices = process.env.REQUIRE_SERVICES === '1'

function parseArguments() {
  // `--changed` has an optional value, which parseArgs does not support.
  const args = process.argv.slice(2).map((arg) => (arg === '--changed' ? '--changed=HEAD' : arg))
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        name: { type: 'string' },
        changed: { type: 'string' },
        seed: { type: 'string', default: String(randomInt(1, 1_000_000)) },
        isolate: { type: 'boolean', default: false },
        timeout: { type: 'string', default: '180' },
        'file-timeout': { type: 'string', default: '400' },
        slowest: { type: 'string', default: '0' },
        long: { type: 'boolean', default: false },
        release: { type: 'boolean', default: false },
        tools: { type: 'boolean', default: false },
        'list-skipped': { type: 'string' },
        concurrency: { type: 'string', default: String(availableParallelism() + 1) },
      },
    })
    const positive = (name: 'timeout' | 'file-timeout' | 'seed' | 'concurrency') => {
      const number = Number(values[name])
      if (!(Number.isInteger(number) && number > 0))
        throw new Error(`--${name} must be a positive whole number.`)
      return number
    }
    const slowest = Number(values.slowest)
    if (!Number.isInteger(slowest) || slowest < 0) throw new Error('--slowest must be a whole number.')
    return {
      ...values,
      timeoutMs: positive('timeout') * 1000,
      fileTimeoutMs: positive('file-timeout') * 1000,
      seed: positive('seed'),
      concurrency: positive('concurrency'),
      slowest,
      pathParts: positionals,
    }
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\nUsage: ${USAGE}`)
    process.exit(2)
  }
}

const options = parseArguments()

/** The test files of this run, or those below the given paths. A part that is no path from the root matches anywhere. */
function findTestFiles(): string[] {
  const { name, long, release, pathParts } = options
  const files = globSync(release ? RELEASE_TESTS : TEST_FOLDERS.map((folder) => `${folder}/**/*.test.ts`), {
    cwd: root,
    exclude: ['**/node_modules/**'],
  }).sort()
  const isSelection = pathParts.length > 0 || name !== undefined
  const all = files.filter((file) => {
    if (file.endsWith(SEARCH_TEST)) return true
    return file.endsWith(LONG_TEST) ? long || isSelection : !long
  })
  if (pathParts.length === 0) return isSelection || release ? all : all.filter(isToolRequested)
  const selected = pathParts.flatMap((part) => {
    const path = part.replace(`${root}/`, '').replace(/^\.\//, '')
    const below = all.filter((file) => file.startsWith(path))
    return below.length > 0 ? below : all.filter((file) => file.includes(path))
  })
  return [...new Set(selected)]
}

/** Whether tests of tools run: in continuous integration, or if something has changed that they depend on. */
let runsTools: boolean | undefined
function isToolRequested(file: string): boolean {
  if (!file.startsWith('scripts/')) return true
  runsTools ??= options.tools || changedFiles(root, 'HEAD').some((path) => TOOL_INPUTS.test(path))
  return runsTools
}

/** Keeps the files with a test of this title, as far as their text shows: each file takes a process of its own then. */
function filesWithTitle(files: string[], pattern: string): string[] {
  const regexp = new RegExp(pattern)
  const found = files.filter((file) => regexp.test(readFileSync(join(root, file), 'utf8')))
  return found.length > 0 ? found : files
}

let files = findTestFiles()
if (options.name !== undefined) files = filesWithTitle(files, options.name)
let omitted = 0
if (options.changed !== undefined) {
  const changed = changedFiles(root, options.changed)
  ;({ files, omitted } = selectReaching(root, files, changed, MAX_PER_CHANGE))
}
if (files.length === 0) {
  console.error(
    options.pathParts.length > 0
      ? `No test file matches: ${options.pathParts.join(' ')}`
      : options.changed === undefined
        ? 'No test files found.'
        : 'No test file reaches a change by its imports.',
  )
  process.exit(options.changed === undefined ? 1 : 0)
}

// Compiling the sources takes more than half of the processor time of a small test file. Test processes, and the clouds
// and apps that they start, share the result.
process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules/.cache/compile')

process.env.SEARCH_SHARE ??= options.long ? '1' : '0.2'

/** Whether more than one file calls a function. */
const isShared = (call: string) =>
  files.filter((file) => readFileSync(join(root, file), 'utf8').includes(call)).length > 1

// Each file that starts clouds from the bundle would make it, all at the same time.
if (findBundle(PROJECT) === undefined && isShared('spawnCloud('))
  spawnSync(process.execPath, [join(PROJECT, 'scripts/bundle.ts')], { stdio: ['ignore', 2, 2] })

if (isShared('startBrowser(')) {
  const { startBrowserServer } = await import('@glasses-cloud/cloud/test/browser')
  const server = await startBrowserServer()
  if (server !== undefined) process.env.TEST_BROWSER_SERVER = server
}

// Each commit of SQLite waits for the disk, which takes longer than all the rest of many tests.
const temporary = createTemporaryFolder()
if (temporary !== undefined) process.env.TMPDIR = temporary

console.log(`${files.length} test files in the order of --seed ${options.seed}`)
if (omitted > 0)
  console.log(
    `${omitted} more reach a change from further away; \`npm test\` without --changed runs them too.`,
  )
const summary = new Summary(root, options.name !== undefined, (line) => console.log(line))
await runFiles(
  shuffle(files, options.seed).map((file) => join(root, file)),
  // A filter by title works in the first file of a process only.
  { ...options, isolates: options.isolate || options.release || options.name !== undefined },
  (result) => summary.add(result),
)
summary.printSlowest(options.slowest)
summary.print(requireServices, startedAt)

const list = options['list-skipped']
if (list !== undefined) writeFileSync(list, summary.skippedFiles.map((file) => `${file}\n`).join(''))

const { tests, skipped, failed } = summary
const servicesMissing = requireServices && skipped.length > 0
const ranNone = tests === 0 && skipped.length === 0 && failed.length === 0
if (ranNone) console.error('No test ran.')
if (servicesMissing) console.error('REQUIRE_SERVICES=1: a skipped test is a failure.')
process.exit(failed.length > 0 || ranNone || servicesMissing ? 1 : 0)
