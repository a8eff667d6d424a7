import { type ExportDocument, timeText } from './document.ts'

/** Text is handed on in pieces of about this many characters. */
const pieceLength = 64 * 1024

/**
 * A document as one JSON object: `{ format: "glasses-cloud-export", version: 1, exportId, createdAt, user: { id,
 * email }, sections: { <name>: [{ key, value, updatedAt? }] } }`. It is written fact by fact, so that its size does
 * not count.
 */
export async function* writeJson(document: ExportDocument): AsyncGenerator<Uint8Array> {
  let piece = ''
  for await (const text of texts(document)) {
    piece += text
    if (piece.length < pieceLength) continue
    yield Buffer.from(piece)
    piece = ''
  }
  yield Buffer.from(piece)
}

async function* texts({ exportId, user, createdAt, sections }: ExportDocument): AsyncGenerator<string> {
  const head = {
    format: 'glasses-cloud-export',
    version: 1,
    exportId,
    createdAt: timeText(createdAt),
    user: { id: user.id, email: user.email },
  }
  yield `${JSON.stringify(head).slice(0, -1)},"sections":{`
  let sectionComma = ''
  for (const section of sections) {
    yield `${sectionComma}\n${JSON.stringify(section.name)}:[`
    let factComma = ''
    for await (const { key, value, updatedAt } of section.facts(user, 'json')) {
      yield `${factComma}\n${JSON.stringify({ key, value: value ?? null, updatedAt: timeText(updatedAt) })}`
      factComma = ','
    }
    yield ']'
    sectionComma = ','
  }
  yield '}}\n'
}
