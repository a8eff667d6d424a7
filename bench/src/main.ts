import { coldStart } from './cold-start.ts'
import { idleSession } from './idle-session.ts'
import { lc3 } from './lc3.ts'
import { relay } from './relay.ts'

// `npm run bench` runs all of them, `npm run bench -- relay` one. Each prints a line with its ratio to a baseline
// that ran in the same minute.
const benchmarks = { 'cold-start': coldStart, 'idle-session': idleSession, lc3, relay }

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !Object.hasOwn(benchmarks, name))
if (unknown.length > 0) {
  console.error(
    `There is no benchmark ${unknown.join(', ')}; there are ${Object.keys(benchmarks).join(', ')}.`,
  )
  process.exit(2)
}
for (const [name, run] of Object.entries(benchmarks)) {
  if (wanted.length === 0 || wanted.includes(name)) console.log(await run())
}
