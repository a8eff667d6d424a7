import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { type Blob, type ClosableBlobStore, oneChunk } from '../blobs/index.ts'
import { type BackupKey, type BackupLock, createEncrypter, decrypted } from './encryption.ts'
import {
  type BackupEntry,
  BackupError,
  type BackupSink,
  type BackupSource,
  damaged,
  END_ENTRY,
  FILES_FOLDER,
  isFileList,
  MANIFEST_ENTRY,
  MAX_JSON_BYTES,
  MAX_PART_BYTES,
  parseFileList,
  parseManifest,
  type StoredFile,
} from './format.ts'
import type { OwnKey } from './own-key.ts'
import { gunzipped, readAll } from './read-backup.ts'
import type { DiskSet } from './scratch-store.ts'

const BACKUPS = 'backups/'
const OBJECTS = 'objects/'
const KEYS = 'keys/'

/** Names the cloud that the repository belongs to. */
const CLOUD = 'cloud'

/** Largest key, end mark and name of a cloud. */
const MAX_SMALL_BYTES = 10_000

/** Names of objects that are noted at a time. */
const BATCH = 500

/**
 * A folder or a bucket with several backups, in which each file is stored once, named by the hash of its content:
 *
 *     objects/ab/ab…            a file
 *     backups/ID/…              the other entries of a backup; its end mark is written last and deleted first
 *     keys/ID                   a private key, encrypted with a passphrase
 *     cloud                     the id of the cloud that writes and removes backups here
 *
 * One process at a time writes: that which has the lease of the cloud (`BackupStateStore`). A process that has lost it
 * notices before its next deletion.
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

  /**
   * Reserves the repository for a cloud: another one would remove its backups, and what it is writing.
   * @param lastPlace name of the repository with the last verified backup of the cloud
   * @throws BackupError if it is that of another cloud, or lost the last backup
   */
  async claim(cloudId: string, lastPlace?: string): Promise<void> {
    const isNew = !(await this.#keys(CLOUD)).includes(CLOUD)
    if (isNew && this.name === lastPlace && (await this.list()).length === 0)
      throw new BackupError(
        `${this.name} does not contain the backups that were written to it; if it is on another disk or machine, that is probably not mounted. If you emptied it, create the file "${CLOUD}" there, with the line ${cloudId}`,
      )
    if (isNew) await this.#blobs.put(CLOUD, oneChunk(Buffer.from(`${cloudId}\n`)))
    const owner = String(await readAll(await this.#bytes(CLOUD), CLOUD, MAX_SMALL_BYTES)).trim()
    if (owner !== cloudId)
      throw new BackupError(
        `${this.name} contains the backups of another cloud. Use a folder or prefix of its own; or, if this cloud replaces that one, which no longer runs, delete "${CLOUD}" there.`,
      )
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
   * @param guard called before each write; throws if another process writes to the repository
   */
  sink(
    id: string,
    recipients: readonly string[],
    own: OwnKey,
    { known, objects, added }: Readonly<Record<'known' | 'objects' | 'added', DiskSet>>,
    guard: () => Promise<void>,
  ): BackupSink {
    const blobs = this.#blobs
    let written = 0
    const put = async (key: string, content: AsyncIterable<Uint8Array>, isList: boolean) => {
      const hash = createHash('sha256')
      const bytes =
        recipients.length === 0 ? content : await encryptedFor(content, recipients, isList ? own : undefined)
      await guard()
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
   * Checks that every file of a backup is stored, also those that were stored before it.
   * @param objects names of the stored objects, read after the backup was written
   * @throws BackupError if one is missing
   */
  async requireObjects(id: string, own: OwnKey, objects: DiskSet): Promise<void> {
    await this.#eachFile(id, own, (files) => {
      const missing = files.find(({ object }) => object === undefined || !objects.has(object))
      if (missing)
        throw new BackupError(`${this.name} lost the file ${missing.key} while the backup was made.`)
    })
  }

  /**
   * Removes all but the newest backups, and the files that no remaining one names. Killed in between, the next call
   * continues.
   * @param objects names of the stored objects; see `readObjects`
   * @param named empty; receives the names of remaining files
   * @param guard called before each deletion; throws if another process writes to the repository
   * @returns why files that no backup names may remain, as a sentence; undefined if none do
   */
  async prune(
    keep: number,
    own: OwnKey,
    { objects, named }: Readonly<Record<'objects' | 'named', DiskSet>>,
    guard: () => Promise<void>,
  ): Promise<string | undefined> {
    const { complete, incomplete } = await this.#contents()
    const kept = complete.slice(-keep)
    for (const id of [...complete.slice(0, -keep), ...incomplete]) await this.#remove(id, guard)
    for (const id of kept) {
      const isRead = await this.#eachFile(id, own, (files) =>
        named.addAll(files.flatMap(({ object }) => (object === undefined ? [] : [[object, '']]))),
      )
      if (!isRead) return `The list of files of the backup ${id} cannot be read with this AUTH_SECRET.`
    }
    for (const names of objects.batches()) {
      for (const name of names) {
        if (named.has(name)) continue
        await guard()
        await this.#blobs.delete(OBJECTS + name)
      }
    }
    return undefined
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

  async #keys(prefix: string): Promise<string[]> {
    const keys: string[] = []
    for await (const { key } of this.#blobs.list(prefix)) keys.push(key)
    return keys
  }

  /** Removes the end mark first, so that a part of a backup never looks like a whole one. */
  async #remove(id: string, guard = async () => {}): Promise<void> {
    await guard()
    await this.#blobs.delete(`${BACKUPS}${id}/${END_ENTRY}`)
    // Listed as a whole first: a folder may skip entries if others are deleted meanwhile.
    for (const key of await this.#keys(`${BACKUPS}${id}/`)) {
      await guard()
      await this.#blobs.delete(key)
    }
  }

  /** @returns false if a list is damaged or cannot be decrypted */
  async #eachFile(id: string, own: OwnKey, use: (files: StoredFile[]) => void): Promise<boolean> {
    for await (const { key } of this.#blobs.list(`${BACKUPS}${id}/file-lists/`)) {
      const files = await this.#readList(key, own).catch((error: unknown) => {
        if (error instanceof BackupError) return undefined
        throw error
      })
      if (files === undefined) return false
      use(files)
    }
    return true
  }

  async #readList(key: string, own: OwnKey): Promise<StoredFile[]> {
    const content = await this.#read(key, { identities: [own] }, MAX_PART_BYTES)
    return parseFileList(await gunzipped(content, key), key).filter((file) => 'sha256' in file)
  }

  async *#entries(
    id: string,
    key: BackupKey,
    isKnown: (object: string) => boolean,
  ): AsyncGenerator<BackupEntry> {
    const read = (name: string, maxBytes: number) => this.#read(`${BACKUPS}${id}/${name}`, key, maxBytes)
    const manifest = await read(MANIFEST_ENTRY, MAX_JSON_BYTES)
    for (const { name } of parseManifest(String(manifest)).parts) {
      const content = await read(name, MAX_PART_BYTES)
      if (isFileList(name))
        yield* this.#files(parseFileList(await gunzipped(content, name), name), key, isKnown)
      yield { name, size: content.byteLength, content: oneChunk(content) }
    }
    yield { name: MANIFEST_ENTRY, size: manifest.byteLength, content: oneChunk(manifest) }
    const end = await read(END_ENTRY, MAX_SMALL_BYTES)
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

  async #read(blobKey: string, key: BackupKey, maxBytes: number): Promise<Buffer> {
    return readAll(await this.#open(blobKey, key), blobKey, maxBytes)
  }

  /** @throws BackupError if it is missing or cannot be decrypted; its content, too, if it is damaged */
  async #open(blobKey: string, key: BackupKey): Promise<AsyncIterable<Uint8Array>> {
    const { stream } = await decrypted(await this.#bytes(blobKey), key, this.name)
    return withSentences(stream, blobKey)
  }

  /** @throws BackupError if it is missing */
  async #bytes(blobKey: string): Promise<ReadableStream<Uint8Array>> {
    const blob = await this.#blobs.get(blobKey)
    if (blob === undefined) throw damaged(blobKey)
    return Readable.toWeb(blob.stream) as ReadableStream<Uint8Array>
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
      const text = await this.#read(key, { passphrase }, MAX_SMALL_BYTES).catch(() => undefined)
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
