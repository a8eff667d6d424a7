import fc from 'fast-check'
import { shareOf } from './search-share.ts'

/** Options of a property. */
export interface PropertyOptions {
  /** The number of sequences in `npm run test:long`; `npm test` tries a fifth of them. */
  readonly runs: number
  /** The seed of these sequences, so that a run gives the same result twice. */
  readonly seed?: number
}

/**
 * Checks a property: with a fixed seed and `runs` generated inputs, or, with `PROPERTY_MINUTES`
 * (`npm run properties -- --minutes 60`), with new inputs until that time is over. A failure names the seed and the path
 * that repeat it.
 */
export async function checkProperty<Input>(
  property: fc.IAsyncProperty<Input>,
  { runs, seed = 1 }: PropertyOptions,
): Promise<void> {
  const minutes = Number(process.env.PROPERTY_MINUTES ?? 0)
  if (minutes === 0) return await fc.assert(property, { seed, numRuns: shareOf(runs) })
  const end = performance.now() + minutes * 60_000
  let total = 0
  while (performance.now() < end) {
    await fc.assert(property, { numRuns: runs })
    total += runs
  }
  console.log(`${total} generated inputs in ${minutes} minutes.`)
}
