/**
 * `npm test`: runs every test of the project and ends by itself. Words after `--` choose files whose path holds
 * them: `npm test -- packages/cloud/src/store`. A test may take --timeout seconds (120); its file is killed --grace
 * seconds (5) later, so that a test that waits in vain is told by its own name.
 *
 * REQUIRE_SERVICES=1 makes a skipped test a failure (continuous integration, where every service is there).
 */
import { globSync } from 'node:fs'
import { run } from 'node:test'
import { parseArgs } from 'node:util'
import { KillSwitch } from './test/kill-switch.ts'
import { isFile, Reporter } from './test/reporter.ts'

const usage = `npm test -- [--name PATTERN] [--timeout SECONDS] [--grace SECONDS] [PART OF A PATH]...
`

const root = process.cwd()

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        name: { type: 'string' },
        timeout: { type: 'string', default: '120' },
        grace: { type: 'string', default: '5' },
      },
    })
    const timeoutMs = Number(values.timeout) * 1000
    const graceMs = Number(values.grace) * 1000
    if (!(timeoutMs > 0 && graceMs > 0)) throw new Error('--timeout and --grace take a number of seconds.')
    return { name: values.name, timeoutMs, graceMs, parts: positionals }
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\nUsage: ${usage}`)
    process.exit(2)
  }
}

/** All test files, or those that the words choose: a path from the root chooses what is there, else any part of one. */
function testFiles(parts: string[]): string[] {
  const folders = ['packages', 'apps', 'bench', 'scripts']
  const all = globSync(
    folders.map((folder) => `${folder}/**/*.test.ts`),
    { cwd: root, exclude: ['**/node_modules/**'] },
  ).sort()
  if (parts.length === 0) return all
  const chosen = parts.flatMap((part) => {
    const path = part.replace(`${root}/`, '').replace(/^\.\//, '')
    const there = all.filter((file) => file.startsWith(path))
    return there.length > 0 ? there : all.filter((file) => file.includes(path))
  })
  return [...new Set(chosen)]
}

const { name, timeoutMs, graceMs, parts } = readArguments()
const files = testFiles(parts)
if (files.length === 0) {
  console.error(`No test file matches: ${parts.join(' ') || '(none at all)'}`)
  process.exit(1)
}

const reporter = new Reporter(root, name !== undefined, (line) => console.log(line))
const killSwitch = new KillSwitch(timeoutMs + graceMs, (file) => {
  console.log(`✖ ${file} was killed, but a process that it started still holds its output open.`)
  process.exit(1)
})

// A process a file, two at a time. All files in one process need no starting (0.2 s a file), but have one core:
// 38 files took 146 s that way and 105 s this way, on two cores. And a file that crashes or never ends takes nobody
// else with it, and cannot lean on what another has left behind.
const events = run({
  files,
  concurrency: 2,
  timeout: timeoutMs,
  execArgv: ['--import', import.meta.resolve('./test/register.ts')],
  ...(name === undefined ? {} : { testNamePatterns: [name] }),
})
for await (const event of events) {
  if (event.type === 'test:dequeue' && isFile(event.data)) killSwitch.arm(event.data.file ?? '')
  if (event.type === 'test:complete' && isFile(event.data)) killSwitch.disarm(event.data.file ?? '')
  reporter.take(event)
}
killSwitch.close()

const { success, tests, skipped, failed } = reporter.outcome
const servicesMissing = process.env.REQUIRE_SERVICES === '1' && skipped.length > 0
if (tests === 0) console.error('No test ran.')
if (servicesMissing) console.error('REQUIRE_SERVICES=1: a skipped test is a failure.')
reporter.end()
process.exit(success && failed.length === 0 && tests > 0 && !servicesMissing ? 0 : 1)
