import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { describeReport } from './report.ts'
import { runSoak } from './soak.ts'

// `npm run soak -- --minutes 30`: long-running mixed traffic against a cloud, with a verdict at the end.

const USAGE =
  'Usage: npm run soak -- [--minutes 30] [--sessions 500] [--nodes 1|3] [--seed N] [--report FILE]\n' +
  '  Three nodes need PostgreSQL (TEST_DATABASE_URL) and the program redis-server.'

/** @throws {Error} for unknown options and invalid values */
function parseArguments(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      minutes: { type: 'string', default: '30' },
      sessions: { type: 'string', default: '500' },
      nodes: { type: 'string', default: '1' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      report: { type: 'string' },
    },
  })
  const positive = (name: 'minutes' | 'sessions' | 'nodes' | 'seed') => {
    const value = Number(values[name])
    if (!(value > 0)) throw new Error(`--${name} must be a positive number (got "${values[name]}")`)
    return value
  }
  return {
    report: values.report,
    durationMs: positive('minutes') * 60_000,
    sessions: Math.ceil(positive('sessions')),
    nodes: Math.ceil(positive('nodes')),
    seed: positive('seed'),
    onProgress: (line: string) => console.log(`${new Date().toISOString().slice(11, 19)} ${line}`),
  }
}

try {
  const { report: file, ...options } = parseArguments(process.argv.slice(2))
  const report = await runSoak(options)
  const text = describeReport(report)
  if (file !== undefined) await writeFile(file, text)
  console.log(text)
  process.exit(report.passed ? 0 : 1)
} catch (error) {
  console.error(error instanceof Error ? (error.stack ?? error.message) : error)
  console.error(USAGE)
  process.exit(1)
}
