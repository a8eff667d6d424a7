import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { type Figure, formatAim, formatNumber } from './figure.ts'

/** The benchmarks of the tables in bench/README.md, the most important ones first. */
export const REPORTED = [
  'start',
  'rest-lists',
  'relay',
  'memory',
  'connect-burst',
  'idle-process',
  'large-data',
  'nodes',
  'node-sessions',
  'failover',
  'blobs',
  'node-rest',
  'console',
]

/** What came of a benchmark: its figures, or why there are none. */
export interface Result {
  readonly benchmark: string
  readonly figures: readonly Figure[]
  readonly problem?: string
}

const BEGIN = '<!-- figures: written by `npm run bench -- --report` -->'
const END = '<!-- end of figures -->'

/** Describes the machine: load of other processes makes figures worthless, so it is measured before the first benchmark. */
export function describeMachine(): string {
  const load = formatNumber(loadavg()[0] ?? 0)
  return `Node ${process.version}, ${availableParallelism()} cores, load average ${load} before the run.`
}

/** Formats figures as a table in Markdown. Benchmarks without figures follow it. */
export function formatReport(machine: string, results: readonly Result[]): string {
  const rows = results.flatMap(({ benchmark, figures }) =>
    figures.map((figure) => {
      const { name, value, unit, detail = '' } = figure
      const aim = formatAim(figure, ': reached', ': **missed**')
      const cells = [`\`${benchmark}\``, name, `${formatNumber(value)} ${unit}`, detail, aim]
      return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
    }),
  )
  const problems = results.flatMap(({ benchmark, problem }) =>
    problem === undefined ? [] : [`- \`${benchmark}\`: ${problem.replace(/\s+/g, ' ')}`],
  )
  const table = [
    '| Benchmark | Figure | Measured | Cloud against baseline | Aim |',
    '|---|---|---|---|---|',
    ...rows,
  ]
  return [machine, '', ...table, ...(problems.length > 0 ? ['', 'Not measured:', '', ...problems] : [])].join(
    '\n',
  )
}

/**
 * Replaces the report in a page.
 * @throws Error if the page has no place for it
 */
export function replaceReport(page: string, report: string): string {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)]
  if (begin === -1 || end < begin) throw new Error(`The page must contain ${BEGIN} and ${END}.`)
  return `${page.slice(0, begin + BEGIN.length)}\n${report}\n${page.slice(end)}`
}

/** Writes the report into bench/README.md. */
export function writeReport(report: string): void {
  const file = `${import.meta.dirname}/../README.md`
  writeFileSync(file, replaceReport(readFileSync(file, 'utf8'), report))
}
