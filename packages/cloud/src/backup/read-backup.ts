import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { isBlobKey } from '../blobs/index.ts'
import {
  type BackupEntry,
  type BackupHeader,
  type BackupManifest,
  type BackupSecrets,
  type BackupSource,
  type CellValue,
  damaged,
  END_ENTRY,
  FILES_FOLDER,
  HEADER_ENTRY,
  isFileList,
  type ListedFile,
  MANIFEST_ENTRY,
  MAX_JSON_BYTES,
  MAX_PART_BYTES,
  parseFileList,
  parseHeader,
  parseManifest,
  parseRows,
  parseSecrets,
  SECRETS_ENTRY,
  type TableShape,
  tableOfEntry,
} from './format.ts'

/** Receives the content of a backup, in its order. */
export interface BackupReceiver {
  header(header: BackupHeader): Promise<void>
  secrets(secrets: BackupSecrets): Promise<void>
  /** Rows of a table, whose shape is that of the header. */
  rows(table: TableShape, rows: readonly CellValue[][]): Promise<void>
  /** A file, whose key is valid; consume its content. */
  file(key: string, content: AsyncIterable<Uint8Array>): Promise<void>
  /** Files whose content was received and had the listed hash, and those that are not in the backup. */
  listed(files: readonly ListedFile[]): Promise<void>
}

/** Files that may precede the list that names them. */
const MAX_PENDING_FILES = 10_000

/**
 * Reads a backup and checks it on the way: the order of its entries, their form, each hash, and that it is complete. What was received
 * before an error must be discarded.
 * @throws BackupError if it is damaged, incomplete, or not a backup
 */
export async function readBackup(
  source: BackupSource,
  receiver: BackupReceiver,
  signal?: AbortSignal,
): Promise<BackupManifest> {
  const reader = new BackupReader(receiver)
  for await (const entry of source.entries()) {
    signal?.throwIfAborted()
    await reader.receive(entry)
  }
  return reader.end(source.name)
}

interface ReceivedFile {
  readonly size: number
  readonly sha256: string
}

class BackupReader {
  readonly #receiver: BackupReceiver
  readonly #parts: BackupManifest['parts'] = []
  /** Position of the last part; see `#advance`. */
  #position: readonly number[] = []
  readonly #tables = new Map<string, TableShape>()
  readonly #counts = new Map<string, number>()
  /** Files that no list has named yet. */
  readonly #pending = new Map<string, ReceivedFile>()
  readonly #files = { count: 0, bytes: 0, deleted: 0, missing: 0 }
  #id = ''
  #manifest: BackupManifest | undefined
  #manifestHash = ''
  #isComplete = false

  constructor(receiver: BackupReceiver) {
    this.#receiver = receiver
  }

  async receive(entry: BackupEntry): Promise<void> {
    const { name } = entry
    if (this.#isComplete) throw damaged(name)
    if (this.#id === '') return this.#readHeader(entry)
    if (this.#manifest) return this.#readEnd(entry)
    const table = tableOfEntry(name)
    if (name === SECRETS_ENTRY) {
      this.#advance(name, [0])
      await this.#receiver.secrets(parseSecrets(String(await this.#readPart(entry, MAX_JSON_BYTES))))
    } else if (table !== undefined) await this.#readRows(entry, table)
    else if (isFileList(name)) await this.#readList(entry)
    else if (name.startsWith(FILES_FOLDER)) await this.#readFile(entry)
    else if (name === MANIFEST_ENTRY) await this.#readManifest(entry)
    else throw damaged(name)
  }

  /** @throws BackupError unless everything was received */
  end(name: string): BackupManifest {
    if (!this.#isComplete || this.#manifest === undefined) throw damaged(name)
    return this.#manifest
  }

  /**
   * Checks that parts are in order, without gaps: secrets, then the rows of each table, then lists of files.
   * @param position kind of part, table, and number
   * @throws BackupError for a part that is repeated, missing or misplaced
   */
  #advance(name: string, position: readonly [kind: number, table?: number, number?: number]): void {
    const [kind, table = 0, number = 1] = position
    const [lastKind = -1, lastTable = -1, lastNumber = 0] = this.#position
    const isSameList = kind === lastKind && table === lastTable
    const isNext = isSameList
      ? number === lastNumber + 1
      : number === 1 && (kind > lastKind || (kind === lastKind && table > lastTable))
    if (!isNext || (lastKind === -1 && kind !== 0)) throw damaged(name)
    this.#position = [kind, table, number]
  }

  async #readHeader(entry: BackupEntry): Promise<void> {
    if (entry.name !== HEADER_ENTRY) throw damaged(entry.name)
    const header = parseHeader(String(await this.#readPart(entry, MAX_JSON_BYTES)))
    this.#id = header.id
    for (const table of header.tables) {
      if (this.#tables.has(table.name)) throw damaged(entry.name)
      this.#tables.set(table.name, table)
      this.#counts.set(table.name, 0)
    }
    await this.#receiver.header(header)
  }

  async #readRows(entry: BackupEntry, name: string): Promise<void> {
    const table = this.#tables.get(name)
    if (table === undefined) throw damaged(entry.name)
    this.#advance(entry.name, [1, [...this.#tables.keys()].indexOf(name), numberOf(entry.name)])
    const rows = parseRows(await this.#readCompressed(entry), entry.name, table)
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + rows.length)
    await this.#receiver.rows(table, rows)
  }

  async #readFile({ name, content, known }: BackupEntry): Promise<void> {
    const key = name.slice(FILES_FOLDER.length)
    if (!isBlobKey(key) || this.#pending.has(key) || this.#pending.size >= MAX_PENDING_FILES)
      throw damaged(name)
    if (known) {
      this.#pending.set(key, known)
      return
    }
    const hash = createHash('sha256')
    let size = 0
    const hashed = async function* () {
      for await (const chunk of content) {
        hash.update(chunk)
        size += chunk.byteLength
        yield chunk
      }
    }
    await this.#receiver.file(key, hashed())
    this.#pending.set(key, { size, sha256: hash.digest('hex') })
  }

  async #readList(entry: BackupEntry): Promise<void> {
    this.#advance(entry.name, [2, 0, numberOf(entry.name)])
    const files = parseFileList(await this.#readCompressed(entry), entry.name)
    for (const file of files) {
      if ('state' in file) {
        if (!isBlobKey(file.key)) throw damaged(entry.name)
        this.#files[file.state] += 1
        continue
      }
      const received = this.#pending.get(file.key)
      if (received?.sha256 !== file.sha256 || received.size !== file.size)
        throw damaged(FILES_FOLDER + file.key)
      this.#pending.delete(file.key)
      this.#files.count += 1
      this.#files.bytes += file.size
    }
    await this.#receiver.listed(files)
  }

  async #readManifest(entry: BackupEntry): Promise<void> {
    const content = await readAll(entry.content, entry.name, MAX_JSON_BYTES)
    const manifest = parseManifest(String(content))
    const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
    const rows = Object.fromEntries(this.#counts)
    const isWhole =
      this.#pending.size === 0 &&
      manifest.id === this.#id &&
      manifest.parts.length === this.#parts.length &&
      manifest.parts.every(
        ({ name, size, sha256 }, index) =>
          this.#parts[index]?.name === name &&
          this.#parts[index].size === size &&
          this.#parts[index].sha256 === sha256,
      ) &&
      isSame(Object.entries(manifest.rows).sort(), Object.entries(rows).sort()) &&
      Object.entries(this.#files).every(([name, value]) => manifest.files[name as 'count'] === value)
    if (!isWhole) throw damaged(MANIFEST_ENTRY)
    this.#manifest = manifest
    this.#manifestHash = hashOf(content)
  }

  async #readEnd(entry: BackupEntry): Promise<void> {
    if (entry.name !== END_ENTRY) throw damaged(entry.name)
    const end = String(await readAll(entry.content, entry.name, 1_000))
    if (end !== `${this.#manifestHash}  ${MANIFEST_ENTRY}\n`) throw damaged(MANIFEST_ENTRY)
    this.#isComplete = true
  }

  async #readPart(entry: BackupEntry, maxBytes: number): Promise<Buffer> {
    const content = await readAll(entry.content, entry.name, maxBytes)
    this.#parts.push({ name: entry.name, size: content.byteLength, sha256: hashOf(content) })
    return content
  }

  async #readCompressed(entry: BackupEntry): Promise<string> {
    return gunzipped(await this.#readPart(entry, MAX_PART_BYTES), entry.name)
  }
}

const decompress = promisify(gunzip)

/** Returns the number at the end of the name of a part. */
const numberOf = (name: string) => Number(/(\d+)\.jsonl\.gz$/.exec(name)?.[1])

/** Returns the text of a part. @throws BackupError if it is damaged, or too large when it is decompressed */
export async function gunzipped(content: Uint8Array, name: string): Promise<string> {
  try {
    return String(await decompress(content, { maxOutputLength: MAX_PART_BYTES }))
  } catch {
    throw damaged(name)
  }
}

const hashOf = (content: Uint8Array) => createHash('sha256').update(content).digest('hex')

/** Reads a part into memory. @throws BackupError if it is larger than `maxBytes` */
export async function readAll(
  content: AsyncIterable<Uint8Array>,
  name: string,
  maxBytes: number,
): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of content) {
    size += chunk.byteLength
    if (size > maxBytes) throw damaged(name)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
