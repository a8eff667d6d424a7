import { type Run, summarize } from './run.ts'

/** One test suite, as CI systems read it. */
export function formatJunit({ url, startedAt, results }: Run): string {
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
