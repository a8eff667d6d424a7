import { pipeline } from 'node:stream'
import { stringify } from 'csv-stringify'
import { type ExportDocument, timeText } from './document.ts'

/**
 * A document as CSV (RFC 4180, UTF-8): `section,key,value,updatedAt`, a row a fact, a field of an object under
 * `key.field`. Text that a spreadsheet would take for a formula has an apostrophe before it.
 */
export function writeCsv(document: ExportDocument): AsyncIterable<Uint8Array> {
  const lines = stringify({
    header: true,
    columns: ['section', 'key', 'value', 'updatedAt'],
    record_delimiter: 'windows',
    // Lone CR and LF within a value have to be quoted too.
    quote_record_delimiter: true,
    escape_formulas: true,
  })
  // A failure of the source destroys the stream, and whoever reads it is told.
  return pipeline(rows(document), lines, () => {})
}

async function* rows({ user, sections }: ExportDocument): AsyncGenerator<string[]> {
  for (const section of sections) {
    for await (const { key, value, updatedAt } of section.facts(user, 'csv')) {
      for (const [path, text] of cells(key, value))
        yield [section.name, path, text, timeText(updatedAt) ?? '']
    }
  }
}

/** Text as it is; objects field by field; all else as JSON. */
function* cells(path: string, value: unknown): Generator<[path: string, text: string]> {
  if (typeof value === 'string') yield [path, value]
  else if (isObject(value) && Object.keys(value).length > 0) {
    for (const [field, inner] of Object.entries(value)) {
      if (inner !== undefined) yield* cells(`${path}.${field}`, inner)
    }
  } else yield [path, JSON.stringify(value ?? null)]
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
