import type { Check } from './check.ts'
import { Context, Shared } from './context.ts'
import type { Options } from './options.ts'
import { type Result, Skipped } from './outcome.ts'

/** Runs checks in order, each with a deadline, and restores what they changed. */
export async function runChecks(
  checks: readonly Check[],
  options: Options,
  onResult: (result: Result) => void = () => {},
): Promise<Result[]> {
  const { only } = options
  const shared = new Shared(options)
  const results: Result[] = []
  try {
    for (const check of checks) {
      if (only.length > 0 && !only.some((prefix) => check.id.startsWith(prefix))) continue
      const result = await runCheck(check, options, shared)
      results.push(result)
      onResult(result)
    }
  } finally {
    await shared.close()
  }
  return results
}

async function runCheck(check: Check, options: Options, shared: Shared): Promise<Result> {
  const { run, ...description } = check
  const startedAt = performance.now()
  const finish = (status: Result['status'], reason?: string): Result => ({
    check: description,
    status,
    ...(reason !== undefined && { reason }),
    durationMs: Math.round(performance.now() - startedAt),
  })
  if (check.lasting && !options.lasting) return finish('skipped', `requires --lasting: ${check.changes}`)
  const abort = new AbortController()
  const context = new Context(options, shared, check.id, abort.signal)
  const deadline = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    deadline.reject(new Error(`The check did not end within ${options.deadlineMs / 1000} s`))
    abort.abort()
  }, options.deadlineMs)
  try {
    await Promise.race([run(context), deadline.promise])
    return finish('passed')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return finish(error instanceof Skipped ? 'skipped' : 'failed', reason)
  } finally {
    clearTimeout(timer)
    await context.close().catch(() => {})
  }
}
