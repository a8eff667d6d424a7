import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Blob } from '../blobs/index.ts'

/** Version of the format of backups (docs/backup.md). A backup of a later one is refused. */
export const FORMAT_VERSION = 1

/** Entries of a backup, in this order; those with a number occur any number of times. */
export const HEADER_ENTRY = 'backup.json'
export const SECRETS_ENTRY = 'secrets.json'
export const MANIFEST_ENTRY = 'manifest.json'
/** The last entry: the SHA-256 of the manifest, as `sha256sum` prints it. */
export const END_ENTRY = 'manifest.json.sha256'
export const FILES_FOLDER = 'files/'

/** Largest part of rows or of a list of files, compressed or not: one is in memory at a time. */
export const MAX_PART_BYTES = 64 * 1024 * 1024

/** Largest header, secrets or manifest: the manifest of 200,000 parts, which are 200 GB of rows. */
export const MAX_JSON_BYTES = 32 * 1024 * 1024

const ROWS_PATTERN = /^rows\/([a-z][a-z0-9_]{0,62})\/\d{6,}\.jsonl\.gz$/
const PART_PATTERN = /^(backup\.json|secrets\.json|(rows\/[a-z0-9_]+|file-lists)\/\d+\.jsonl\.gz)$/
const FILE_LIST_PATTERN = /^file-lists\/\d{6,}\.jsonl\.gz$/

/** Returns the name of a part with rows of a table. @param number from 1 */
export const rowsEntry = (table: string, number: number) =>
  `rows/${table}/${String(number).padStart(6, '0')}.jsonl.gz`

/** Returns the name of a part of the list of files. @param number from 1 */
export const fileListEntry = (number: number) => `file-lists/${String(number).padStart(6, '0')}.jsonl.gz`

/** Returns the table whose rows an entry contains; undefined for other entries. */
export const tableOfEntry = (name: string) => ROWS_PATTERN.exec(name)?.[1]

export const isFileList = (name: string) => FILE_LIST_PATTERN.test(name)

/** A backup cannot be made, read or restored. The message is a sentence for the operator. */
export class BackupError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'BackupError'
  }
}

const version = Type.String({ pattern: '^\\d{1,6}\\.\\d{1,6}\\.\\d{1,6}$' })

const headerSchema = Type.Object({
  format: Type.Literal('glasses-cloud-backup'),
  formatVersion: Type.Integer({ minimum: 1 }),
  id: Type.String({ pattern: '^\\d{8}T\\d{6}\\.\\d{3}Z-[0-9a-f]{8}$' }),
  /** The version that made the backup. */
  programVersion: Type.String({ maxLength: 100 }),
  /** The newest version that migrated the database, and the oldest that may use it. */
  databaseVersion: Type.Object({ version, oldestVersion: version }),
  /** When the snapshot of the database was taken, ISO 8601. */
  createdAt: Type.String({ maxLength: 40 }),
  database: Type.Union([Type.Literal('sqlite'), Type.Literal('postgresql')]),
  /** The applied migrations, in their order: the schema of the rows. */
  migrations: Type.Array(Type.String({ maxLength: 200 }), { minItems: 1, maxItems: 10_000 }),
  /** The tables, each after those that it refers to. */
  tables: Type.Array(
    Type.Object({
      name: Type.String({ pattern: '^[a-z][a-z0-9_]{0,62}$' }),
      columns: Type.Array(
        Type.Object({
          name: Type.String({ pattern: '^[a-z][a-z0-9_]{0,62}$' }),
          type: Type.String({ maxLength: 100 }),
        }),
        { minItems: 1, maxItems: 1_000 },
      ),
    }),
    { maxItems: 1_000 },
  ),
})

/** The first entry: what made the backup, when, and the shape of its rows. */
export type BackupHeader = Static<typeof headerSchema>

/** A table with its columns in the order of the values in a row. */
export type TableShape = BackupHeader['tables'][number]

const secretsSchema = Type.Object({
  authSecret: Type.String({ minLength: 1, maxLength: 10_000 }),
  previousAuthSecret: Type.Optional(Type.String({ minLength: 1, maxLength: 10_000 })),
})

/** Secrets without which tokens, sealed keys and second factors of the rows are useless. */
export type BackupSecrets = Static<typeof secretsSchema>

const count = Type.Integer({ minimum: 0 })

const manifestSchema = Type.Object({
  id: Type.String({ maxLength: 100 }),
  endedAt: Type.String({ maxLength: 40 }),
  /** Every entry before the manifest but the files, in order; `size` and `sha256` (hex) of the stored bytes. */
  parts: Type.Array(
    Type.Object({ name: Type.String({ pattern: PART_PATTERN.source }), size: count, sha256: Type.String() }),
  ),
  /** Number of rows of each table. */
  rows: Type.Record(Type.String(), count),
  files: Type.Object({
    count,
    /** Bytes of all files. */
    bytes: count,
    /** Files that were deleted while the backup was made, with their rows. */
    deleted: count,
    /** Files that rows name but that the cloud itself had lost. */
    missing: count,
  }),
})

/** The list of everything in the backup, written when it is complete. */
export type BackupManifest = Static<typeof manifestSchema>

const fileSchema = Type.Union([
  Type.Object({
    key: Type.String({ maxLength: 512 }),
    size: count,
    /** Hex SHA-256 of the content. */
    sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    /** Name of the object with the content, in a store of several backups. */
    object: Type.Optional(Type.String({ pattern: '^[0-9a-f]{2}/[0-9a-f]{64}$' })),
  }),
  Type.Object({
    key: Type.String({ maxLength: 512 }),
    state: Type.Union([Type.Literal('deleted'), Type.Literal('missing')]),
  }),
])

/** A line of the list of files: a file of the blob store, or why it is not in the backup. */
export type ListedFile = Static<typeof fileSchema>

/** A file that is in the backup. */
export type StoredFile = Extract<ListedFile, { sha256: string }>

/** A value in a row: binary columns are base64. */
export type CellValue = string | number | null | { readonly base64: string }

function isCell(value: unknown): value is CellValue {
  if (value === null || typeof value === 'string' || Number.isFinite(value)) return true
  return typeof value === 'object' && 'base64' in value && typeof value.base64 === 'string'
}

/** @throws BackupError if it is not the header of a backup, or that of a later format */
export function parseHeader(text: string): BackupHeader {
  const header = parse(text, HEADER_ENTRY)
  const version = (header as { formatVersion?: unknown } | null)?.formatVersion
  if (typeof version === 'number' && version > FORMAT_VERSION)
    throw new BackupError(
      `The backup has the format ${version}, and this version reads up to ${FORMAT_VERSION}. Use the version of Glasses Cloud that made it, or a later one.`,
    )
  return check(headerSchema, header, HEADER_ENTRY)
}

/** @throws BackupError */
export const parseSecrets = (text: string): BackupSecrets =>
  check(secretsSchema, parse(text, SECRETS_ENTRY), SECRETS_ENTRY)

/** @throws BackupError */
export const parseManifest = (text: string): BackupManifest =>
  check(manifestSchema, parse(text, MANIFEST_ENTRY), MANIFEST_ENTRY)

/** Parses a part of the list of files. @throws BackupError */
export const parseFileList = (text: string, name: string): ListedFile[] =>
  lines(text).map((line) => check(fileSchema, parse(line, name), name))

/** Parses a part with rows of a table. @throws BackupError */
export function parseRows(text: string, name: string, { columns }: TableShape): CellValue[][] {
  return lines(text).map((line) => {
    const row = parse(line, name)
    if (!Array.isArray(row) || row.length !== columns.length || !row.every(isCell)) throw damaged(name)
    return row
  })
}

/** The sentence for everything that does not follow the format. */
export const damaged = (name: string) =>
  new BackupError(`The backup is damaged or was changed (${name}). Use another backup; nothing was restored.`)

const lines = (text: string) => text.split('\n').filter((line) => line !== '')

function parse(text: string, name: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw damaged(name)
  }
}

function check<const Schema extends Parameters<typeof Value.Check>[1]>(
  schema: Schema,
  value: unknown,
  name: string,
): Static<Schema> {
  if (!Value.Check(schema, value)) throw damaged(name)
  return value as Static<Schema>
}

/** Where a backup is written: a file, or a store of several backups. */
export interface BackupSink {
  /** Adds an entry other than a file. */
  add(name: string, content: Uint8Array): Promise<void>
  /**
   * Adds a file of the blob store.
   * @param open opens it; undefined if it does not exist
   * @returns undefined if it does not exist
   */
  addFile(key: string, open: () => Promise<Blob | undefined>): Promise<StoredFile | undefined>
  /** Makes the backup durable and visible under its name. @returns bytes written for it */
  finish(): Promise<number>
  /** Removes what was written. */
  abort(): Promise<void>
}

/** An entry of a backup that is read. */
export interface BackupEntry {
  readonly name: string
  /** Bytes of the entry; 0 if unknown until it was read. */
  readonly size: number
  /** Its content; read or skipped before the next entry. */
  readonly content: AsyncIterable<Uint8Array>
  /** Of a file that was checked before, and whose content need not be read. */
  readonly known?: { readonly size: number; readonly sha256: string } | undefined
}

/** Where a backup is read from. */
export interface BackupSource {
  /** Name for messages. */
  readonly name: string
  /**
   * Reads all entries in order; each call reads them anew.
   * @throws BackupError if it cannot be read
   */
  entries(): AsyncIterable<BackupEntry>
}
