/**
 * `npm run fuzz -- [TARGET]... [--minutes 10] [--seed NUMBER] [--keep]`: searches for inputs that break what reads bytes
 * from outside, one target after the other. `--keep` writes the inputs that run new code to the corpus, which
 * `npm test` replays.
 */
import { parseArgs } from 'node:util'
import { encodeInput, Finding, fuzz, loadTarget, readCorpus, targetNames, writeCorpus } from './fuzzer.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 32) },
    keep: { type: 'boolean', default: false },
  },
})
const known = targetNames()
const names = positionals.length > 0 ? positionals : known
const minutes = Number(values.minutes)
const seed = Number(values.seed)
const unknown = names.find((name) => !known.includes(name))
if (unknown !== undefined || !(minutes > 0) || !Number.isInteger(seed)) {
  console.error(
    `Usage: npm run fuzz -- [TARGET]... [--minutes 10] [--seed NUMBER] [--keep]\nTargets: ${known.join(', ')}`,
  )
  process.exit(2)
}

for (const name of names) {
  const target = await loadTarget(name)
  const show = (
    label: string,
    { inputs, blocks, corpus }: { inputs: number; blocks: number; corpus: number },
  ) => console.log(`${label} ${name}: ${inputs} inputs, ${blocks} blocks, ${corpus} in the corpus`)
  try {
    const result = await fuzz({
      target,
      corpus: readCorpus(name),
      milliseconds: minutes * 60_000,
      seed,
      report: (progress) => show('…', progress),
    })
    show('✔', result)
    if (values.keep) writeCorpus(name, result.minimized)
  } catch (error) {
    if (!(error instanceof Finding)) throw error
    console.error(`✖ ${name} (seed ${seed}):`, error.cause)
    console.error(
      `Input of ${error.input.length} bytes, as a line of its corpus:\n${encodeInput(error.input)}`,
    )
    process.exit(1)
  }
}
// Targets may leave timers.
process.exit(0)
