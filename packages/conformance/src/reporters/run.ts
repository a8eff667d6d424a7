import type { Result } from '../outcome.ts'

/** Number of checks by status. */
export function summarize(results: readonly Result[]): Record<Result['status'], number> {
  const count = (status: Result['status']) => results.filter((result) => result.status === status).length
  return { passed: count('passed'), failed: count('failed'), skipped: count('skipped') }
}

/** A completed run. */
export interface Run {
  readonly url: string
  /** ISO 8601. */
  readonly startedAt: string
  readonly results: readonly Result[]
}
