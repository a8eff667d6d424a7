import type { Blob } from '../blobs/index.ts'
import type { StoredFile } from './format.ts'

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
