import type { Scope } from '@glasses-cloud/cloud/test/scope'

/** Runs a task for each value, `concurrency` at a time. @returns the results in the order of the values */
export async function mapConcurrently<Value, Result>(
  values: readonly Value[],
  concurrency: number,
  run: (value: Value) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const remaining = values.entries()
  const worker = async () => {
    for (const [index, value] of remaining) results[index] = await run(value)
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  return results
}

/** Runs a task with a scope that ends with it. */
export async function withScope<Result>(task: (scope: Scope) => Promise<Result>): Promise<Result> {
  const steps: (() => unknown)[] = []
  try {
    return await task({ after: (step) => void steps.push(step) })
  } finally {
    for (const step of steps.reverse()) await step()
  }
}
