/** Parses CSV according to RFC 4180. */
export function readCsv(text: string): string[][] {
  const records: string[][] = []
  const field = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n|$)/y
  let record: string[] = []
  while (field.lastIndex < text.length) {
    const at = field.lastIndex
    const [, raw = '', end] = field.exec(text) ?? []
    if (end === undefined) throw new Error(`invalid CSV at ${at}: ${JSON.stringify(text.slice(at, at + 40))}`)
    record.push(raw.startsWith('"') ? raw.slice(1, -1).replaceAll('""', '"') : raw)
    if (end === ',') continue
    records.push(record)
    record = []
  }
  return records
}
