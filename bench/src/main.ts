import { parseArgs } from 'node:util'
import type { BenchmarkOptions } from './benchmark.ts'
import { benchmarks } from './benchmarks/index.ts'
import { formatFigure } from './figure.ts'

// `npm run bench` runs all benchmarks, `npm run bench -- relay start` some of them.

const USAGE = `Usage: npm run bench -- [${Object.keys(benchmarks).join('|')}]... [--connections N]`

/** @throws {Error} for unknown names, options and values */
function parseArguments(args: string[]): { names: string[]; options: BenchmarkOptions } {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { connections: { type: 'string', default: '2000' } },
  })
  const unknown = positionals.filter((name) => !Object.hasOwn(benchmarks, name))
  if (unknown.length > 0) throw new Error(`Unknown benchmark ${unknown.join(', ')}`)
  const connections = Number(values.connections)
  if (!Number.isInteger(connections) || connections < 1) {
    throw new Error(`--connections must be a positive integer (got "${values.connections}")`)
  }
  const names = positionals.length > 0 ? positionals : Object.keys(benchmarks)
  return { names, options: { connections } }
}

try {
  const { names, options } = parseArguments(process.argv.slice(2))
  for (const name of names) {
    const benchmark = benchmarks[name]
    if (!benchmark) continue
    console.log(`${name}: ${benchmark.title}`)
    for (const figure of await benchmark.run(options)) console.log(formatFigure(figure))
  }
} catch (error) {
  console.error(`${error instanceof Error ? error.message : error}\n${USAGE}`)
  process.exitCode = 1
}
