import { parseArgs } from 'node:util'
import { benchmarks } from './benchmarks/index.ts'
import { type BenchmarkOptions, formatFigure } from './figure.ts'
import { describeMachine, formatReport, REPORTED, type Result, writeReport } from './report.ts'

// `npm run bench` runs all benchmarks, `npm run bench -- relay start` some of them, and `npm run bench -- --report`
// those of bench/README.md, which it updates.

const USAGE = `Usage: npm run bench -- [${Object.keys(benchmarks).join('|')}]... [--connections N] [--report]`

/** A report starts no further benchmark after this time, so that it ends within twenty minutes. */
const MAX_REPORT_MS = 17 * 60_000

/** @throws {Error} for unknown names, options and values */
function parseArguments(args: string[]): { names: string[]; options: BenchmarkOptions; report: boolean } {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      connections: { type: 'string', default: '2000' },
      report: { type: 'boolean', default: false },
    },
  })
  const unknown = positionals.filter((name) => !Object.hasOwn(benchmarks, name))
  if (unknown.length > 0) throw new Error(`Unknown benchmark ${unknown.join(', ')}`)
  const connections = Number(values.connections)
  if (!Number.isInteger(connections) || connections < 1) {
    throw new Error(`--connections must be a positive integer (got "${values.connections}")`)
  }
  if (values.report && positionals.length > 0)
    throw new Error('--report runs the benchmarks of bench/README.md')
  const all = values.report ? REPORTED : Object.keys(benchmarks)
  return {
    names: positionals.length > 0 ? positionals : all,
    options: { connections },
    report: values.report,
  }
}

/** Runs a benchmark and prints its figures. */
async function measure(name: string, options: BenchmarkOptions): Promise<Result> {
  const benchmark = await benchmarks[name]?.()
  if (!benchmark) throw new Error(`Unknown benchmark ${name}`)
  console.log(`${name}: ${benchmark.title}`)
  const figures = await benchmark.run(options)
  for (const figure of figures) console.log(formatFigure(figure))
  return { benchmark: name, figures }
}

/** Measures the figures of bench/README.md and writes them there. A benchmark that fails is listed with its error. */
async function report(names: readonly string[], options: BenchmarkOptions): Promise<void> {
  const machine = describeMachine()
  const deadline = performance.now() + MAX_REPORT_MS
  const results: Result[] = []
  for (const name of names) {
    const isLate = performance.now() > deadline
    const result = isLate ? Promise.reject(new Error('The time was over.')) : measure(name, options)
    results.push(
      await result.catch((error: Error) => ({ benchmark: name, figures: [], problem: error.message })),
    )
    // Each result counts, even if a later benchmark does not end.
    writeReport(formatReport(machine, results))
  }
  console.log(`\n${formatReport(machine, results)}`)
  if (results.some(({ problem }) => problem !== undefined)) process.exitCode = 1
}

try {
  const parsed = parseArguments(process.argv.slice(2))
  if (parsed.report) {
    await report(parsed.names, parsed.options)
    // Processes that a failed benchmark left end with this one.
    process.exit()
  }
  for (const name of parsed.names) await measure(name, parsed.options)
} catch (error) {
  console.error(`${error instanceof Error ? error.message : error}\n${USAGE}`)
  process.exitCode = 1
}
