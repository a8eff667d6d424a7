import { randomUUID } from 'node:crypto'
import { INCIDENT_LIMITS, type IncidentLogs, type IncidentReport } from '@glasses-cloud/contract'
import type { Logger } from 'pino'
import { type Blob, type BlobStore, BlobTooLargeError } from '../../blobs/index.ts'
import type { Attachment, Incident, IncidentContent, IncidentStore } from './incident-store.ts'

export interface IncidentsDeps {
  readonly store: IncidentStore
  readonly blobs: BlobStore
  readonly log: Logger
  /** Epoch ms. */
  readonly now: () => number
}

/** A file of a form. */
export interface IncomingFile {
  readonly filename: string
  readonly mimeType: string
  readonly content: AsyncIterable<Uint8Array>
}

/** Result of attaching a file; `error` is a sentence for the user. */
export type AttachResult = { readonly ok: true } | { readonly ok: false; readonly error: string }

/** A file of an incident with its content. The stream must be consumed or destroyed. */
export interface OpenedFile extends Attachment, Pick<Blob, 'stream'> {}

const FOLDER = 'incidents/'

/** Incidents that users report: rows, and a blob for each file. */
export class Incidents {
  readonly #deps: IncidentsDeps

  constructor(deps: IncidentsDeps) {
    this.#deps = deps
  }

  /** Stores a report. @returns its id */
  async report(userId: string, report: IncidentReport): Promise<string> {
    const { store, now, log } = this.#deps
    const id = randomUUID()
    await store.add(userId, id, report, now())
    // Deletes the files of incidents that were deleted to make room, and of interrupted uploads.
    await this.#deleteOrphans(userId).catch((error: unknown) =>
      log.error({ err: error }, 'incidents: orphaned files could not be deleted'),
    )
    return id
  }

  has(userId: string, incidentId: string): Promise<boolean> {
    return this.#deps.store.has(userId, incidentId)
  }

  /** Adds logs to an incident. @returns false if it would exceed its limit */
  async addLogs(incidentId: string, logs: IncidentLogs): Promise<boolean> {
    return logs.logs.length === 0 || this.#deps.store.addLogs(incidentId, logs)
  }

  /**
   * Streams a file into the blob store and adds it to an incident.
   * @throws the error of the source or of the blob store
   */
  async attach(userId: string, incidentId: string, file: IncomingFile): Promise<AttachResult> {
    const { blobs, store } = this.#deps
    const { filename, mimeType, content } = file
    const id = randomUUID()
    const key = incidentFileKey(userId, incidentId, id)
    let size: number
    try {
      size = (await blobs.put(key, content, { maxBytes: INCIDENT_LIMITS.fileBytes })).size
    } catch (error) {
      if (!(error instanceof BlobTooLargeError)) throw error
      return { ok: false, error: `A file may have ${INCIDENT_LIMITS.fileBytes / 1024 / 1024} MiB at most` }
    }
    let isAdded = false
    try {
      isAdded = await store.addFile(incidentId, { id, filename, mimeType, size })
    } finally {
      if (!isAdded) await blobs.delete(key)
    }
    if (isAdded) return { ok: true }
    return { ok: false, error: `An incident may have ${INCIDENT_LIMITS.files} files at most` }
  }

  /** Opens a file of a user's incident; undefined if it does not exist. */
  async open(userId: string, incidentId: string, attachmentId: string): Promise<OpenedFile | undefined> {
    const { store, blobs } = this.#deps
    if (!(await store.has(userId, incidentId))) return undefined
    const file = await store.findFile(incidentId, attachmentId)
    const blob = file && (await blobs.get(incidentFileKey(userId, incidentId, file.id)))
    return file && blob && { ...file, stream: blob.stream }
  }

  /** Opens a file of an incident of any user, for administrators; undefined if it does not exist. */
  async openForAdministrator(incidentId: string, attachmentId: string): Promise<OpenedFile | undefined> {
    const userId = await this.#deps.store.reporterOf(incidentId)
    return userId === undefined ? undefined : this.open(userId, incidentId, attachmentId)
  }

  /** Yields the incidents of a user, oldest first. */
  async *listByUser(userId: string): AsyncGenerator<Incident & IncidentContent> {
    const { store } = this.#deps
    // One at a time, since their logs may be large.
    for (const incident of await store.listByUser(userId)) yield* await store.withContent([incident])
  }

  /** Deletes a user's incidents with their files. Idempotent. */
  async deleteByUser(userId: string): Promise<void> {
    const { store, blobs } = this.#deps
    // Rows first, so that a file whose upload is in progress is discarded.
    await store.deleteByUser(userId)
    for await (const { key } of blobs.list(folderOf(userId))) await blobs.delete(key)
  }

  /**
   * Deletes the files of incidents that do not exist. Each incident is looked up after its file was listed: it was
   * stored before the file, so an incident reported meanwhile keeps its files.
   */
  async #deleteOrphans(userId: string): Promise<void> {
    const { store, blobs } = this.#deps
    const folder = folderOf(userId)
    const existing = new Set<string>()
    for await (const { key } of blobs.list(folder)) {
      const [incidentId = ''] = key.slice(folder.length).split('/')
      if (existing.has(incidentId)) continue
      if (await store.has(userId, incidentId)) existing.add(incidentId)
      else await blobs.delete(key)
    }
  }
}

const folderOf = (userId: string) => `${FOLDER}${userId}/`

/** Returns the blob key of a file. */
export function incidentFileKey(userId: string, incidentId: string, id: string): string {
  return `${folderOf(userId)}${incidentId}/${id}`
}
