import type { ManualClock } from './manual-clock.ts'

/** Advances the clock, and returns what `promise` has become by then. */
export async function settleWithin<T>(clock: ManualClock, promise: Promise<T>, ms: number): Promise<T> {
  const result = promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  )
  await clock.advance(ms)
  const settled = await Promise.race([
    result,
    new Promise<undefined>((resolve) => setImmediate(() => resolve(undefined))),
  ])
  if (settled === undefined) throw new Error(`Not settled after ${ms} ms.`)
  if ('error' in settled) throw settled.error
  return settled.value
}
