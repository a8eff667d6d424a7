import { type Run, summarize } from './run.ts'

/** `{ url, startedAt, summary, checks }`. */
export function formatJson({ url, startedAt, results }: Run): string {
  const checks = results.map(({ check, status, reason, durationMs }) => ({
    id: check.id,
    title: check.title,
    source: check.source,
    ...(check.changes !== undefined && { changes: check.changes }),
    status,
    ...(reason !== undefined && { reason }),
    durationMs,
  }))
  return `${JSON.stringify({ url, startedAt, summary: summarize(results), checks }, undefined, 2)}\n`
}
