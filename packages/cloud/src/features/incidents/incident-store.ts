import { randomUUID } from 'node:crypto'
import { INCIDENT_LIMITS, type IncidentLogs, type IncidentReport } from '@glasses-cloud/contract'
import type { Transaction } from 'kysely'
import {
  type Database,
  fromJson,
  type IncidentFileRow,
  type IncidentLogsRow,
  type IncidentRow,
  inBatches,
  type Schema,
  toJson,
} from '../../db/index.ts'

/** A report of a user, to which logs and files can be added. */
export interface Incident extends IncidentReport {
  readonly id: string
  /** Epoch ms. */
  readonly createdAt: number
}

/** An incident with its reporter. */
export interface SentIncident extends Incident {
  readonly userId: string
  /** E-mail address. */
  readonly sender: string
}

/** A file of an incident. */
export interface Attachment {
  readonly id: string
  readonly filename: string
  /** As sent by the phone. */
  readonly mimeType: string
  /** Bytes. */
  readonly size: number
}

/** The logs and files of an incident, each in the order of their arrival. */
export interface IncidentContent {
  readonly logs: readonly Required<IncidentLogs>[]
  readonly files: readonly Attachment[]
}

/** Stores incidents, their logs, and the metadata of their files. */
export class IncidentStore {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /** Stores an incident and deletes the user's oldest incidents beyond `INCIDENT_LIMITS.perUser`. */
  async add(userId: string, id: string, report: IncidentReport, now: number): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      await trx
        .insertInto('incidents')
        .values({ id, user_id: userId, content: toJson(report), created_at: now })
        .execute()
      await trx
        .deleteFrom('incidents')
        .where('id', 'in', (e) =>
          e
            .selectFrom('incidents as older')
            .select('older.id')
            .where('older.user_id', '=', userId)
            .orderBy('older.created_at', 'desc')
            .orderBy('older.id')
            .limit(1_000)
            .offset(INCIDENT_LIMITS.perUser),
        )
        .execute()
    })
  }

  /** Whether the user reported the incident. */
  async has(userId: string, id: string): Promise<boolean> {
    const row = await this.#db
      .selectFrom('incidents')
      .select('id')
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .executeTakeFirst()
    return row !== undefined
  }

  /** Returns the id of the user who reported an incident; undefined if it does not exist. */
  async reporterOf(id: string): Promise<string | undefined> {
    const row = await this.#db
      .selectFrom('incidents')
      .select('user_id')
      .where('id', '=', id)
      .executeTakeFirst()
    return row?.user_id
  }

  /** Returns the incidents of a user, oldest first. */
  async listByUser(userId: string): Promise<Incident[]> {
    const rows = await this.#db
      .selectFrom('incidents')
      .selectAll()
      .where('user_id', '=', userId)
      .orderBy('created_at')
      .orderBy('id')
      .execute()
    return rows.map(toIncident)
  }

  /** Returns the newest incidents, newest first. */
  async listNewest(limit: number): Promise<SentIncident[]> {
    const rows = await this.#db
      .selectFrom('incidents')
      .innerJoin('users', 'users.id', 'incidents.user_id')
      .selectAll('incidents')
      .select('users.email')
      .orderBy('incidents.created_at', 'desc')
      .orderBy('incidents.id')
      .limit(limit)
      .execute()
    return rows.map((row) => ({ ...toIncident(row), userId: row.user_id, sender: row.email }))
  }

  /** Adds logs. @returns false if the incident would exceed its limit or does not exist */
  async addLogs(incidentId: string, { source = 'phone', logs }: IncidentLogs): Promise<boolean> {
    const entries = toJson(logs)
    const bytes = Buffer.byteLength(entries)
    return this.#addWithin(incidentId, async (trx) => {
      const { sum, count } = await trx
        .selectFrom('incident_logs')
        .select((e) => [
          e.fn.coalesce(e.fn.sum<number | string>('bytes'), e.lit(0)).as('sum'),
          e.fn.countAll<number | string>().as('count'),
        ])
        .where('incident_id', '=', incidentId)
        .executeTakeFirstOrThrow()
      if (Number(sum) + bytes > INCIDENT_LIMITS.logBytes) return false
      const position = Number(count)
      const row = { id: randomUUID(), incident_id: incidentId, source, entries, bytes, position }
      await trx.insertInto('incident_logs').values(row).execute()
      return true
    })
  }

  /** Adds a file. @returns false if the incident would exceed its limit or does not exist */
  async addFile(incidentId: string, file: Attachment): Promise<boolean> {
    return this.#addWithin(incidentId, async (trx) => {
      const { count } = await trx
        .selectFrom('incident_files')
        .select((e) => e.fn.countAll<number | string>().as('count'))
        .where('incident_id', '=', incidentId)
        .executeTakeFirstOrThrow()
      const position = Number(count)
      if (position >= INCIDENT_LIMITS.files) return false
      const { id, filename, mimeType, size } = file
      const row = { id, incident_id: incidentId, filename, mime_type: mimeType, size, position }
      await trx.insertInto('incident_files').values(row).execute()
      return true
    })
  }

  async findFile(incidentId: string, fileId: string): Promise<Attachment | undefined> {
    const row = await this.#db
      .selectFrom('incident_files')
      .selectAll()
      .where('incident_id', '=', incidentId)
      .where('id', '=', fileId)
      .executeTakeFirst()
    return row && toAttachment(row)
  }

  /** Reads the logs and files of incidents. */
  async withContent<Listed extends Pick<Incident, 'id'>>(
    incidents: readonly Listed[],
  ): Promise<(Listed & IncidentContent)[]> {
    const complete: (Listed & IncidentContent)[] = []
    for (const batch of inBatches(incidents)) {
      const ids = batch.map(({ id }) => id)
      const [logs, files] = await Promise.all([this.#logsOf(ids), this.#filesOf(ids)])
      for (const incident of batch)
        complete.push({
          ...incident,
          logs: logs.get(incident.id)?.map(toLogs) ?? [],
          files: files.get(incident.id)?.map(toAttachment) ?? [],
        })
    }
    return complete
  }

  async deleteByUser(userId: string): Promise<void> {
    await this.#db.deleteFrom('incidents').where('user_id', '=', userId).execute()
  }

  /** Returns the rows of logs by incident. */
  async #logsOf(ids: readonly string[]) {
    const rows = await this.#db
      .selectFrom('incident_logs')
      .select(['incident_id', 'source', 'entries'])
      .where('incident_id', 'in', ids)
      .orderBy('position')
      .execute()
    return Map.groupBy(rows, ({ incident_id }) => incident_id)
  }

  /** Returns the rows of files by incident. */
  async #filesOf(ids: readonly string[]) {
    const rows = await this.#db
      .selectFrom('incident_files')
      .selectAll()
      .where('incident_id', 'in', ids)
      .orderBy('position')
      .execute()
    return Map.groupBy(rows, ({ incident_id }) => incident_id)
  }

  /** Locks the incident's row, so that concurrent additions cannot exceed the limit together. */
  async #addWithin(
    incidentId: string,
    add: (trx: Transaction<Schema>) => Promise<boolean>,
  ): Promise<boolean> {
    return this.#db.transaction().execute(async (trx) => {
      const { numUpdatedRows } = await trx
        .updateTable('incidents')
        .set({ id: incidentId })
        .where('id', '=', incidentId)
        .executeTakeFirstOrThrow()
      return numUpdatedRows === 1n && add(trx)
    })
  }
}

function toIncident({ id, content, created_at }: IncidentRow): Incident {
  return { ...fromJson<IncidentReport>(content), id, createdAt: created_at }
}

function toLogs({ source, entries }: Pick<IncidentLogsRow, 'source' | 'entries'>): Required<IncidentLogs> {
  return { source, logs: fromJson<IncidentLogs['logs']>(entries) }
}

function toAttachment({ id, filename, mime_type, size }: IncidentFileRow): Attachment {
  return { id, filename, mimeType: mime_type, size }
}
