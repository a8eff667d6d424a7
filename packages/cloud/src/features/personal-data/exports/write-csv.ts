import { pipeline } from 'node:stream'
import { stringify } from 'csv-stringify'
import { type ExportDocument, toIsoString } from './document.ts'

/**
 * Writes a document as CSV (RFC 4180, UTF-8) with the columns `section,key,value,updatedAt` and a row for each fact;
 * each field of an object is a row with the key `key.field`. Strings that a spreadsheet would interpret as a formula
 * are prefixed with an apostrophe.
 */
export function writeCsv(document: ExportDocument): AsyncIterable<Uint8Array> {
  const lines = stringify({
    header: true,
    columns: ['section', 'key', 'value', 'updatedAt'],
    record_delimiter: 'windows',
    // Quotes lone CR and LF in values, too.
    quote_record_delimiter: true,
    escape_formulas: true,
  })
  // An error of the source destroys the stream, which reports it to the reader.
  return pipeline(rows(document), lines, () => {})
}

async function* rows({ user, sections }: ExportDocument): AsyncGenerator<string[]> {
  for (const section of sections) {
    for await (const { key, value, updatedAt } of section.facts(user, 'csv')) {
      for (const [path, text] of cells(key, value))
        yield [section.name, path, text, toIsoString(updatedAt) ?? '']
    }
  }
}

/** Yields strings unchanged, objects field by field, and all other values as JSON. */
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
