import type { Format } from '../options.ts'
import { formatJson } from './json.ts'
import { formatJunit } from './junit.ts'
import type { Run } from './run.ts'
import { formatText } from './text.ts'

const reporters: Readonly<Record<Format, (run: Run) => string>> = {
  text: formatText,
  json: formatJson,
  junit: formatJunit,
}

/** Formats the report of a run. */
export function formatReport(run: Run, format: Format): string {
  return reporters[format](run)
}
