import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { type Blob, type ClosableBlobStore, oneChunk } from '../blobs/index.ts'
import { type BackupKey, type BackupLock, createEncrypter, decrypted } from './encryption.ts'
import type { BackupEntry, BackupSink, BackupSource } from './entries.ts'
import {
  BackupError,
  damaged,
  END_ENTRY,
  FILES_FOLDER,
  isFileList,
  MANIFEST_ENTRY,
  parseFileList,
  parseManifest,
  type StoredFile,
} from './format.ts'
import type { OwnKey } from './own-key.ts'
import { gunzipped } from './read-backup.ts'
import type { DiskSet } from './scratch-store.ts'

const BACKUPS = 'backups/'
const OBJECTS = 'objects/'
const KEYS = 'keys/'

/** Objects whose names are compared and deleted at a time. */
const BATCH = 500

/**
 * A folder or a bucket with several backups, in which each file is stored once, named by the hash of its content:
 *
 *     objects/ab/ab…            a file
 *     backups/ID/…              the other entries of a backup; its end mark is written last and deleted first
 *     keys/ID                   a private key, encrypted with a passphrase
 */
export class BackupRepository {
  readonly name: string
  readonly #blobs: ClosableBlobStore
  /** Private keys by the passphrase that opened them, which takes a second each. */
  readonly #opened = new Map<string, string[]>()

  /** @param name for messages */
  constructor(name: string, blobs: ClosableBlobStore) {
    this.name = name
    this.#blobs = blobs
  }

  /** Returns the ids of the complete backups, oldest first. */
  async list(): Promise<string[]> {
    return (await this.#contents()).complete
  }

  /** Returns the bytes of all files and backups. */
  async size(): Promise<number> {
    let bytes = 0
    for await (const entry of this.#blobs.list('')) bytes += entry.size
    return bytes
  }

  /**
   * Returns what the backups are encrypted for: with a passphrase, the public part of a key that is stored encrypted,
   * since a key from a passphrase takes a second of the processor for each file.
   */
  async recipientsFor(lock: BackupLock | undefined): Promise<readonly string[]> {
    if (lock?.passphrase === undefined) return lock?.recipients ?? []
    const [identity] = await this.#storedIdentities({ passphrase: lock.passphrase })
    if (identity !== undefined) return [await identityToRecipient(identity)]
    const created = await generateX25519Identity()
    const sealed = await createEncrypter(lock).encrypt(created)
    await this.#blobs.put(`${KEYS}${hashOf(sealed).slice(0, 16)}`, oneChunk(sealed))
    this.#opened.set(lock.passphrase, [created])
    return [await identityToRecipient(created)]
  }

  /**
   * Reads the list of files of the newest backup that the cloud can read.
   * @param known receives the files by key, as JSON
   */
  async readKnownFiles(own: OwnKey, known: DiskSet): Promise<void> {
    const id = (await this.list()).at(-1)
    if (id === undefined) return
    const isRead = await this.#eachFile(id, own, (files) =>
      known.addAll(files.map((file) => [file.key, JSON.stringify(file)])),
    )
    if (!isRead) known.clear()
  }

  /** Notes the names of all stored objects. @param objects receives names with sizes */
  async readObjects(objects: DiskSet): Promise<void> {
    let batch: [string, string][] = []
    for await (const { key, size } of this.#blobs.list(OBJECTS)) {
      batch.push([key.slice(OBJECTS.length), String(size)])
      if (batch.length < BATCH) continue
      objects.addAll(batch)
      batch = []
    }
    objects.addAll(batch)
  }

  /**
   * Adds a backup.
   * @param recipients from `recipientsFor`; empty: not encrypted
   * @param known files of the previous backup, which are not read again; see `readKnownFiles`
   * @param objects names of the stored objects; see `readObjects`. New ones are added
   * @param added receives the names of new objects with the hash of their stored bytes
   */
  sink(
    id: string,
    recipients: readonly string[],
    own: OwnKey,
    { known, objects, added }: Readonly<Record<'known' | 'objects' | 'added', DiskSet>>,
  ): BackupSink {
    const blobs = this.#blobs
    let written = 0
    const put = async (key: string, content: AsyncIterable<Uint8Array>, isList: boolean) => {
      const hash = createHash('sha256')
      const bytes =
        recipients.length === 0 ? content : await encryptedFor(content, recipients, isList ? own : undefined)
      const { size } = await blobs.put(key, hashing(bytes, hash))
      written += size
      added.addAll([[key, hash.digest('hex')]])
    }
    const nameOf = (sha256: string) => {
      const name = recipients.length === 0 ? sha256 : own.nameOf(sha256, recipients)
      return `${name.slice(0, 2)}/${name}`
    }
    return {
      async add(name, content) {
        await put(`${BACKUPS}${id}/${name}`, oneChunk(content), isFileList(name))
      },
      async addFile(key, open) {
        const previous = known.get(key)
        if (previous !== undefined) {
          const file: StoredFile = JSON.parse(previous)
          // Encrypted for other recipients, it has another name.
          if (file.object === nameOf(file.sha256) && objects.has(file.object)) return file
        }
        // Its name is known once it was read. Files of the cloud never change.
        const blob = await open()
        if (blob === undefined) return undefined
        const sha256 = await hashBlob(blob)
        const object = nameOf(sha256)
        if (!objects.has(object)) {
          const again = await open()
          if (again === undefined) return undefined
          const content = createHash('sha256')
          await put(OBJECTS + object, hashing(again.stream, content), false)
          if (content.digest('hex') !== sha256) throw new Error('A file changed while it was copied')
          objects.addAll([[object, '']])
        }
        return { key, size: blob.size, sha256, object }
      },
      finish: async () => written,
      abort: () => this.#remove(id),
    }
  }

  /**
   * Reads back what was written: the bytes of each new object and entry.
   * @param added see `sink`
   * @throws BackupError if anything differs
   */
  async verifyWritten(added: DiskSet, signal?: AbortSignal): Promise<void> {
    for (const keys of added.batches()) {
      for (const key of keys) {
        signal?.throwIfAborted()
        const blob = await this.#blobs.get(key)
        if (blob === undefined || (await hashBlob(blob)) !== added.get(key))
          throw new BackupError(
            `${this.name} did not store ${key} as it was written. Check the disk or the bucket.`,
          )
      }
    }
  }

  /**
   * Opens a backup for reading.
   * @param id undefined: the newest
   * @param isKnown whether an object was checked before and need not be read again
   * @throws BackupError if there is none
   */
  async source(id: string | undefined, key: BackupKey, isKnown: (object: string) => boolean = () => false) {
    const ids = await this.list()
    const chosen = id ?? ids.at(-1)
    if (chosen === undefined) throw new BackupError(`${this.name} contains no complete backup.`)
    if (!ids.includes(chosen))
      throw new BackupError(`${this.name} contains no backup ${chosen}; it contains ${ids.join(', ')}.`)
    const keys = await this.#allKeys(key)
    const source: BackupSource = {
      name: `${this.name} (${chosen})`,
      entries: () => this.#entries(chosen, keys, isKnown),
    }
    return source
  }

  /**
   * Removes all but the newest backups, and the files that no remaining one names. Killed in between, the next call
   * continues. Nothing else may write to the repository meanwhile.
   * @param objects empty; used for the names of remaining files
   * @param signal aborts before the next deletion
   * @returns whether files were removed; false if the lists of a backup cannot be read
   */
  async prune(keep: number, own: OwnKey, objects: DiskSet, signal?: AbortSignal): Promise<boolean> {
    const { complete, incomplete } = await this.#contents()
    for (const id of [...complete.slice(0, Math.max(0, complete.length - keep)), ...incomplete]) {
      signal?.throwIfAborted()
      await this.#remove(id)
    }
    for (const id of await this.list()) {
      const isRead = await this.#eachFile(id, own, (files) =>
        objects.addAll(files.flatMap(({ object }) => (object === undefined ? [] : [[object, '']]))),
      )
      if (!isRead) return false
    }
    for await (const { key } of this.#blobs.list(OBJECTS)) {
      signal?.throwIfAborted()
      if (!objects.has(key.slice(OBJECTS.length))) await this.#blobs.delete(key)
    }
    return true
  }

  close(): Promise<void> {
    return this.#blobs.close()
  }

  async #contents(): Promise<{ complete: string[]; incomplete: string[] }> {
    const ids = new Set<string>()
    const complete = new Set<string>()
    for await (const { key } of this.#blobs.list(BACKUPS)) {
      const [id = '', ...name] = key.slice(BACKUPS.length).split('/')
      ids.add(id)
      if (name.join('/') === END_ENTRY) complete.add(id)
    }
    return { complete: [...complete].sort(), incomplete: [...ids].filter((id) => !complete.has(id)) }
  }

  /** Removes the end mark first, so that a part of a backup never looks like a whole one. */
  async #remove(id: string): Promise<void> {
    await this.#blobs.delete(`${BACKUPS}${id}/${END_ENTRY}`)
    for await (const { key } of this.#blobs.list(`${BACKUPS}${id}/`)) await this.#blobs.delete(key)
  }

  /** @returns false if a list cannot be decrypted */
  async #eachFile(id: string, own: OwnKey, use: (files: StoredFile[]) => void): Promise<boolean> {
    for await (const { key } of this.#blobs.list(`${BACKUPS}${id}/file-lists/`)) {
      const text = await this.#read(key, { identities: [own] }).catch((error: unknown) => {
        if (error instanceof BackupError) return undefined
        throw error
      })
      if (text === undefined) return false
      const listed = parseFileList(await gunzipped(text, key), key)
      use(listed.filter((file) => 'sha256' in file))
    }
    return true
  }

  async *#entries(
    id: string,
    key: BackupKey,
    isKnown: (object: string) => boolean,
  ): AsyncGenerator<BackupEntry> {
    const read = (name: string) => this.#read(`${BACKUPS}${id}/${name}`, key)
    const manifest = await read(MANIFEST_ENTRY)
    for (const { name } of parseManifest(String(manifest)).parts) {
      const content = await read(name)
      if (isFileList(name))
        yield* this.#files(parseFileList(await gunzipped(content, name), name), key, isKnown)
      yield { name, size: content.byteLength, content: oneChunk(content) }
    }
    yield { name: MANIFEST_ENTRY, size: manifest.byteLength, content: oneChunk(manifest) }
    const end = await read(END_ENTRY)
    yield { name: END_ENTRY, size: end.byteLength, content: oneChunk(end) }
  }

  async *#files(
    files: ReturnType<typeof parseFileList>,
    backupKey: BackupKey,
    isKnown: (object: string) => boolean,
  ): AsyncGenerator<BackupEntry> {
    for (const file of files) {
      if ('state' in file) continue
      const { key, size, sha256, object } = file
      if (object === undefined) throw damaged(key)
      const known = isKnown(object) ? { size, sha256 } : undefined
      const content = known ? oneChunk(new Uint8Array()) : await this.#open(OBJECTS + object, backupKey)
      yield { name: FILES_FOLDER + key, size, content, known }
    }
  }

  async #read(blobKey: string, key: BackupKey): Promise<Buffer> {
    const chunks: Uint8Array[] = []
    for await (const chunk of await this.#open(blobKey, key)) chunks.push(chunk)
    return Buffer.concat(chunks)
  }

  /** @throws BackupError if it is missing or cannot be decrypted; its content, too, if it is damaged */
  async #open(blobKey: string, key: BackupKey): Promise<AsyncIterable<Uint8Array>> {
    const blob = await this.#blobs.get(blobKey)
    if (blob === undefined) throw damaged(blobKey)
    const bytes = Readable.toWeb(blob.stream) as ReadableStream<Uint8Array>
    const { stream } = await decrypted(bytes, key, this.name)
    return withSentences(stream, blobKey)
  }

  async #allKeys(key: BackupKey): Promise<BackupKey> {
    return { identities: [...(key.identities ?? []), ...(await this.#storedIdentities(key))] }
  }

  /** Returns the private keys that a passphrase opens. */
  async #storedIdentities({ passphrase }: BackupKey): Promise<string[]> {
    if (passphrase === undefined) return []
    const opened = this.#opened.get(passphrase)
    if (opened) return opened
    const identities: string[] = []
    for await (const { key } of this.#blobs.list(KEYS)) {
      const text = await this.#read(key, { passphrase }).catch(() => undefined)
      if (text) identities.push(String(text))
    }
    if (identities.length > 0) this.#opened.set(passphrase, identities)
    return identities
  }
}

async function encryptedFor(
  content: AsyncIterable<Uint8Array>,
  recipients: readonly string[],
  own: OwnKey | undefined,
): Promise<AsyncIterable<Uint8Array>> {
  const encrypter = createEncrypter({ recipients })
  if (own) encrypter.addRecipient(own)
  return encrypter.encrypt(Readable.toWeb(Readable.from(content)) as ReadableStream<Uint8Array>)
}

async function* hashing(content: AsyncIterable<Uint8Array>, hash: ReturnType<typeof createHash>) {
  for await (const chunk of content) {
    hash.update(chunk)
    yield chunk
  }
}

async function* withSentences(content: AsyncIterable<Uint8Array>, name: string) {
  try {
    yield* content
  } catch {
    throw damaged(name)
  }
}

async function hashBlob({ stream }: Blob): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of stream as AsyncIterable<Uint8Array>) hash.update(chunk)
  return hash.digest('hex')
}

const hashOf = (content: Uint8Array) => createHash('sha256').update(content).digest('hex')
