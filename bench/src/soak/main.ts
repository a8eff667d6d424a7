import { parseArgs } from 'node:util'
import { runSoak, type SoakOptions, type SoakReport, toMegabytes } from './soak.ts'

// `npm run soak -- --minutes 30`: long-running mixed traffic against a cloud process, with a verdict at the end.

const USAGE = 'Usage: npm run soak -- [--minutes 30] [--sessions 500] [--seed N]'

/** @throws {Error} for unknown options and invalid values */
function parseArguments(args: string[]): SoakOptions {
  const { values } = parseArgs({
    args,
    options: {
      minutes: { type: 'string', default: '30' },
      sessions: { type: 'string', default: '500' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    },
  })
  const positive = (name: keyof typeof values) => {
    const value = Number(values[name])
    if (!(value > 0)) throw new Error(`--${name} must be a positive number (got "${values[name]}")`)
    return value
  }
  return {
    durationMs: positive('minutes') * 60_000,
    sessions: Math.ceil(positive('sessions')),
    seed: positive('seed'),
    onProgress: (line) => console.log(line),
  }
}

function printReport(report: SoakReport): void {
  const { actions, acknowledgedWrites, lostWrites, logErrors, serverErrors, memory } = report
  for (const [name, count] of Object.entries(actions).sort(([, a], [, b]) => b - a))
    console.log(`  ${String(count).padStart(8)}  ${name}`)
  const growth = `${toMegabytes(memory.earlyBytes)} MB after the warm-up, ${toMegabytes(memory.lateBytes)} MB at the end`
  const flat = { true: 'flat', false: 'GROWING', undefined: 'no verdict below 8 minutes' }[`${memory.isFlat}`]
  console.log(`memory: ${flat} (${growth})`)
  console.log(`log: ${logErrors.length === 0 ? 'no errors' : `${logErrors.length} ERRORS`}`)
  for (const error of logErrors.slice(0, 10)) console.log(`  ${error.slice(0, 500)}`)
  console.log(`responses with status 500: ${serverErrors.length === 0 ? 'none' : serverErrors.join(', ')}`)
  console.log(
    `acknowledged writes: ${acknowledgedWrites}, ${lostWrites.length === 0 ? 'none lost' : `LOST: ${lostWrites.join(', ')}`}`,
  )
  console.log(report.passed ? 'passed' : 'FAILED')
}

try {
  const options = parseArguments(process.argv.slice(2))
  const report = await runSoak(options)
  printReport(report)
  process.exit(report.passed ? 0 : 1)
} catch (error) {
  console.error(`${error instanceof Error ? error.message : error}\n${USAGE}`)
  process.exit(1)
}
