import { randomUUID } from 'node:crypto'
import { INCIDENT_LIMITS, type IncidentLogs, type IncidentReport } from '@glasses-cloud/contract'
import type { Logger } from 'pino'
import { type Blob, type BlobStore, BlobTooLargeError } from '../../blobs/index.ts'
import type { Attachment, Incident, IncidentStore } from './incident-store.ts'

/** What incidents work with. */
export interface IncidentsParts {
  readonly store: IncidentStore
  readonly blobs: BlobStore
  readonly log: Logger
  /** Epoch ms. */
  readonly now: () => number
}

/** A file that came with a form. */
export interface ArrivingFile {
  readonly filename: string
  readonly mimeType: string
  readonly content: AsyncIterable<Uint8Array>
}

/** What became of a file; the refusal is a sentence. */
export type AttachOutcome = { readonly ok: true } | { readonly ok: false; readonly refusal: string }

/** An incident with everything that belongs to it. */
export interface WholeIncident extends Incident {
  readonly logs: readonly Required<IncidentLogs>[]
  readonly files: readonly Attachment[]
}

const FOLDER = 'incidents/'

/** What users report with logs and files: rows, and a blob for each file. */
export class Incidents {
  readonly #parts: IncidentsParts

  constructor(parts: IncidentsParts) {
    this.#parts = parts
  }

  /** Keeps a report. @returns its id */
  async report(userId: string, report: IncidentReport): Promise<string> {
    const { store, now, log } = this.#parts
    const id = randomUUID()
    await store.add(userId, id, report, now())
    // With it those went that made room, and here go their files, and any whose upload died half-way.
    await this.#sweep(userId).catch((error: unknown) =>
      log.error({ err: error }, 'files of old incidents were not all removed'),
    )
    return id
  }

  /** Whether there is such an incident of the user. */
  has(userId: string, incidentId: string): Promise<boolean> {
    return this.#parts.store.has(userId, incidentId)
  }

  /** Adds logs to an incident. @returns false if it has as many as it may have */
  async addLogs(incidentId: string, logs: IncidentLogs): Promise<boolean> {
    return logs.logs.length === 0 || this.#parts.store.addLogs(incidentId, logs)
  }

  /** Adds a file to an incident, stored as it arrives. Throws the error of the source, of the store. */
  async attach(userId: string, incidentId: string, file: ArrivingFile): Promise<AttachOutcome> {
    const { blobs, store } = this.#parts
    const { filename, mimeType, content } = file
    const id = randomUUID()
    const key = incidentFileKey(userId, incidentId, id)
    let size: number
    try {
      size = (await blobs.put(key, content, { maxBytes: INCIDENT_LIMITS.fileBytes })).size
    } catch (error) {
      if (!(error instanceof BlobTooLargeError)) throw error
      return { ok: false, refusal: `A file may have ${INCIDENT_LIMITS.fileBytes / 1024 / 1024} MiB at most` }
    }
    let isKept = false
    try {
      isKept = await store.addFile(incidentId, { id, filename, mimeType, size })
    } finally {
      if (!isKept) await blobs.delete(key)
    }
    if (isKept) return { ok: true }
    return { ok: false, refusal: `An incident may have ${INCIDENT_LIMITS.files} files at most` }
  }

  /** Opens a file of a user's incident; undefined if there is none. Read it to the end or destroy it. */
  async open(
    userId: string,
    incidentId: string,
    attachmentId: string,
  ): Promise<(Attachment & Pick<Blob, 'stream'>) | undefined> {
    const { store, blobs } = this.#parts
    if (!(await store.has(userId, incidentId))) return undefined
    const file = (await store.filesOf(incidentId)).find(({ id }) => id === attachmentId)
    const blob = file && (await blobs.get(incidentFileKey(userId, incidentId, file.id)))
    return file && blob && { ...file, stream: blob.stream }
  }

  /** Everything kept of a user, the oldest first, an incident at a time. */
  async *allOf(userId: string): AsyncGenerator<WholeIncident> {
    const { store } = this.#parts
    for (const incident of await store.listOf(userId)) {
      const [logs, files] = await Promise.all([store.logsOf(incident.id), store.filesOf(incident.id)])
      yield { ...incident, logs, files }
    }
  }

  /** Removes a user's incidents with their files. May be repeated until it succeeds. */
  async removeAllOf(userId: string): Promise<void> {
    const { store, blobs } = this.#parts
    // First, so that a file which is still arriving finds no incident any more, and goes.
    await store.removeAllOf(userId)
    for await (const { key } of blobs.list(folderOf(userId))) await blobs.delete(key)
  }

  async #sweep(userId: string): Promise<void> {
    const { store, blobs } = this.#parts
    const folder = folderOf(userId)
    const kept = new Set((await store.listOf(userId)).map(({ id }) => id))
    for await (const { key } of blobs.list(folder)) {
      const [incidentId = ''] = key.slice(folder.length).split('/')
      if (!kept.has(incidentId)) await blobs.delete(key)
    }
  }
}

const folderOf = (userId: string) => `${FOLDER}${userId}/`

/** Where among the blobs a file of an incident is. */
export function incidentFileKey(userId: string, incidentId: string, id: string): string {
  return `${folderOf(userId)}${incidentId}/${id}`
}
