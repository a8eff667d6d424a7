/**
 * `npm run properties -- [--minutes 10] [PART OF A NAME]...`: checks the properties of `packages/cloud/test/properties` with
 * new generated inputs for a time. `npm test` checks each of them with a few inputs.
 */
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'

const FOLDER = 'packages/cloud/test/properties'

/** How often a file may search for the given time: each of its properties does, and does so for each database. */
const MAX_SEARCHES = 4

/** What a file may take longer: its start, and the shrinking of an input that fails. */
const EXTRA_MINUTES = 10

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { minutes: { type: 'string', default: '10' } },
})
const minutes = Number(values.minutes)
if (!(minutes > 0)) {
  console.error('--minutes must be a positive number.')
  process.exit(2)
}
const limit = String(Math.ceil((minutes * MAX_SEARCHES + EXTRA_MINUTES) * 60))
const files = positionals.length > 0 ? positionals.map((name) => `${FOLDER}/${name}`) : [FOLDER]
const { status } = spawnSync(
  process.execPath,
  ['scripts/test.ts', '--timeout', limit, '--file-timeout', limit, ...files],
  { stdio: 'inherit', env: { ...process.env, PROPERTY_MINUTES: values.minutes } },
)
process.exit(status ?? 1)
