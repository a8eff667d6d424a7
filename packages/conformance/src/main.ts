import { writeFile } from 'node:fs/promises'
import { checks } from './checks/index.ts'
import { parseOptions, USAGE } from './options.ts'
import { formatReport } from './reporters.ts'
import { runChecks } from './runner.ts'

// `npm run conformance`: checks a cloud from outside; see docs/conformance.md.

/** @returns the exit code */
async function main(): Promise<number> {
  const options = parseOptions(process.argv.slice(2))
  if (options === 'help') {
    console.log(USAGE)
    return 0
  }
  if (options === 'list') {
    for (const { id, title, source, changes } of checks)
      console.log(`${id}  ${title}\n    ${source}${changes === undefined ? '' : `\n    Changes: ${changes}`}`)
    return 0
  }
  const { url, format, output } = options
  const { origin } = new URL(url)
  await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(options.deadlineMs) }).catch(
    (error: Error) => {
      throw new Error(
        `${origin} cannot be reached: ${error.cause instanceof Error ? error.cause.message : error.message}`,
      )
    },
  )
  const startedAt = new Date().toISOString()
  const results = await runChecks(checks, options)
  if (results.length === 0) throw new Error('No check has an id that starts with --only.')
  const report = formatReport({ url: origin, startedAt, results }, format)
  if (output === undefined) process.stdout.write(report)
  else await writeFile(output, report)
  return results.some(({ status }) => status === 'failed') ? 1 : 0
}

try {
  process.exitCode = await main()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\nSee --help.\n`)
  process.exitCode = 2
}
