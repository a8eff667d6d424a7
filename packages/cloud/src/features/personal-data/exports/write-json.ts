import { type ExportDocument, toIsoString } from './document.ts'

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
      yield `${factComma}\n${JSON.stringify({ key, value: value ?? null, updatedAt: toIsoString(updatedAt) })}`
      factComma = ','
    }
    yield ']'
    sectionComma = ','
  }
  yield '}}\n'
}
