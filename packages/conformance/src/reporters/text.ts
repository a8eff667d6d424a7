import { type Run, summarize } from './run.ts'

const MARKS = { passed: '✔', failed: '✖', skipped: '–' } as const

/** One line for each check, with the source of a failed one, and a summary. */
export function formatText({ url, results }: Run): string {
  const lines = results.map(({ check, status, reason, durationMs }) => {
    const detail = reason === undefined ? '' : `\n    ${reason}`
    const source = status === 'failed' ? `\n    ${check.source}` : ''
    return `${MARKS[status]} ${check.id}  ${check.title} (${durationMs} ms)${detail}${source}`
  })
  const { passed, failed, skipped } = summarize(results)
  return `${[`Conformance of ${url}`, '', ...lines, '', `${passed} passed, ${failed} failed, ${skipped} skipped`].join('\n')}\n`
}
