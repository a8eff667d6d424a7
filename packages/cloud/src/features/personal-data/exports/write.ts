import { pipeline } from 'node:stream'
import { isObject } from '@glasses-cloud/contract'
import { stringify } from 'csv-stringify'
import type { ExportSection, UserRef } from '../../../personal-data.ts'
import { toIsoString } from '../../../time/index.ts'

/** Content of an export. */
export interface ExportDocument {
  readonly exportId: string
  readonly user: UserRef
  /** Epoch ms. */
  readonly createdAt: number
  readonly sections: readonly ExportSection[]
}

/** Approximate length of a chunk, in characters. */
const CHUNK_LENGTH = 64 * 1024

/**
 * Writes a document as one JSON object in constant memory: `{ format: "glasses-cloud-export", version: 1, exportId,
 * createdAt, user: { id, email }, sections: { <name>: [{ key, value, updatedAt? }] } }`.
 */
export async function* writeJson(document: ExportDocument): AsyncGenerator<Uint8Array> {
  let chunk = ''
  for await (const text of texts(document)) {
    chunk += text
    if (chunk.length < CHUNK_LENGTH) continue
    yield Buffer.from(chunk)
    chunk = ''
  }
  yield Buffer.from(chunk)
}

async function* texts({ exportId, user, createdAt, sections }: ExportDocument): AsyncGenerator<string> {
  const head = {
    format: 'glasses-cloud-export',
    version: 1,
    exportId,
    createdAt: toIsoString(createdAt),
    user: { id: user.id, email: user.email },
  }
  yield `${JSON.stringify(head).slice(0, -1)},"sections":{`
  let sectionComma = ''
  for (const section of sections) {
    yield `${sectionComma}\n${JSON.stringify(section.name)}:[`
    let factComma = ''
    for await (const { key, value, updatedAt } of section.facts(user, 'json')) {
      yield `${factComma}\n${JSON.stringify({ key, value: value ?? null, updatedAt: isoString(updatedAt) })}`
      factComma = ','
    }
    yield ']'
    sectionComma = ','
  }
  yield '}}\n'
}

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
        yield [section.name, path, text, isoString(updatedAt) ?? '']
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

function isoString(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : toIsoString(ms)
}
