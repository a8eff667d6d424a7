import type { Format } from './options.ts'
import type { Result } from './outcome.ts'

const reporters: Readonly<Record<Format, (run: Run) => string>> = {
  text: formatText,
  json: formatJson,
  junit: formatJunit,
}

/** Formats the report of a run. */
export function formatReport(run: Run, format: Format): string {
  return reporters[format](run)
}

/** Number of checks by status. */
function summarize(results: readonly Result[]): Record<Result['status'], number> {
  const count = (status: Result['status']) => results.filter((result) => result.status === status).length
  return { passed: count('passed'), failed: count('failed'), skipped: count('skipped') }
}

/** A completed run. */
interface Run {
  readonly url: string
  /** ISO 8601. */
  readonly startedAt: string
  readonly results: readonly Result[]
}

const MARKS = { passed: '✔', failed: '✖', skipped: '–' } as const

/** One line for each check, with the source of a failed one, and a summary. */
function formatText({ url, results }: Run): string {
  const lines = results.map(({ check, status, reason, durationMs }) => {
    const detail = reason === undefined ? '' : `\n    ${reason}`
    const source = status === 'failed' ? `\n    ${check.source}` : ''
    return `${MARKS[status]} ${check.id}  ${check.title} (${durationMs} ms)${detail}${source}`
  })
  const { passed, failed, skipped } = summarize(results)
  return `${[`Conformance of ${url}`, '', ...lines, '', `${passed} passed, ${failed} failed, ${skipped} skipped`].join('\n')}\n`
}

/** `{ url, startedAt, summary, checks }`. */
function formatJson({ url, startedAt, results }: Run): string {
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

/** One test suite, as CI systems read it. */
function formatJunit({ url, startedAt, results }: Run): string {
  const { failed, skipped } = summarize(results)
  const seconds = (ms: number) => (ms / 1000).toFixed(3)
  const total = results.reduce((sum, { durationMs }) => sum + durationMs, 0)
  const cases = results.map(({ check, status, reason = '', durationMs }) => {
    const [group = ''] = check.id.split('.')
    const attributes = `classname="${escapeXml(group)}" name="${escapeXml(`${check.id}: ${check.title}`)}" time="${seconds(durationMs)}"`
    if (status === 'passed') return `  <testcase ${attributes}/>`
    const child =
      status === 'failed'
        ? `<failure message="${escapeXml(reason)}">${escapeXml(check.source)}</failure>`
        : `<skipped message="${escapeXml(reason)}"/>`
    return `  <testcase ${attributes}>${child}</testcase>`
  })
  const suite = `name="${escapeXml(`Conformance of ${url}`)}" tests="${results.length}" failures="${failed}" errors="0" skipped="${skipped}" time="${seconds(total)}" timestamp="${startedAt}"`
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuite ${suite}>\n${cases.join('\n')}\n</testsuite>\n`
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Escapes a text for XML, and replaces characters that XML does not allow. */
function escapeXml(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '')
    .replace(/[\t\n\r]/g, ' ')
}
