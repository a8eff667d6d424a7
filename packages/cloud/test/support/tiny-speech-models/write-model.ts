import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A file of a model, in memory. */
export interface ModelFile {
  readonly name: string
  readonly role: string
  readonly content: Uint8Array | string
}

type ModelKind =
  | 'streaming-recognizer'
  | 'recognizer'
  | 'voice'
  | 'keyword-spotter'
  | 'punctuation'
  | 'speaker'

/** What `model.json` says of a model besides its files. */
export interface ModelDescription {
  readonly id: string
  readonly name: string
  readonly kind: ModelKind
  readonly architecture: string
  readonly languages: readonly string[]
  readonly detectsLanguage: boolean
}

/** A model as it is installed: `model.json`, whose files are beside it. */
export interface WrittenModel extends ModelDescription {
  readonly memoryBytes: number
  readonly license: { readonly name: string; readonly url: string }
  readonly source: string
  readonly files: readonly {
    readonly name: string
    readonly role: string
    readonly bytes: number
    readonly sha256: string
  }[]
}

/** Roughly what a process with the library and a tiny model needs. */
const MEMORY_BYTES = 60_000_000

/** Writes the files of a model and its `model.json` to `folder`, which is created. Returns the content of `model.json`. */
export async function writeModel(
  folder: string,
  description: ModelDescription,
  files: readonly ModelFile[],
): Promise<WrittenModel> {
  await mkdir(folder, { recursive: true })
  const written = []
  for (const { name, role, content } of files) {
    const bytes = Buffer.from(content)
    await writeFile(join(folder, name), bytes)
    written.push({
      name,
      role,
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    })
  }
  const model = {
    ...description,
    memoryBytes: MEMORY_BYTES,
    license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    source: 'https://example.org/tiny-speech-models',
    files: written,
  }
  await writeFile(join(folder, 'model.json'), `${JSON.stringify(model, null, 2)}\n`)
  return model
}
