import { type Database, fromJson, inTransaction, type SpeechModelInstallRow, toJson } from '../../db/index.ts'
import { LeasedRows, ROW_LEASE_MS } from '../../jobs/index.ts'
import type { ModelManifest, SpeechModel } from './speech-model.ts'

/** An installed model, and the id of its installation, which names its blobs and is never used again. */
export interface InstalledModel {
  readonly installId: string
  readonly model: SpeechModel
}

/** A model that is being installed, or whose installation failed. */
export interface Installation {
  /** Id of the model. */
  readonly id: string
  readonly installId: string
  /** With the sizes and hashes of the files that are stored. */
  readonly manifest: ModelManifest
  /** `local`: only the process that requested it can install it. */
  readonly source: 'web' | 'local'
  readonly isFailed: boolean
  readonly failure: string | undefined
  /** Number of files, from the first, that are in the file store. */
  readonly storedFiles: number
  readonly receivedBytes: number
  /** Number of processes that have leased it. */
  readonly attempts: number
}

/** A request to install a model. */
export interface InstallRequest {
  readonly manifest: ModelManifest
  readonly source: 'web' | 'local'
  /** Used unless an earlier installation of the same manifest is continued. */
  readonly installId: string
  /** Process that leases the installation at once; otherwise any node claims it. */
  readonly owner?: string
}

/** Stores which speech models are installed, and which are being installed. */
export class SpeechModelStore {
  readonly leases: LeasedRows<Installation>
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
    this.leases = new LeasedRows(db, {
      table: 'speech_model_installs',
      isClaimable: (row, now) =>
        row.and([
          row('status', '=', 'pending'),
          row('source', '=', 'web'),
          row.or([row('lease_until', 'is', null), row('lease_until', '<=', now)]),
        ]),
      load: (id, trx) => new SpeechModelStore(trx).findInstallation(id),
    })
  }

  /** Returns the store whose queries run in a transaction. */
  within(trx: Database): SpeechModelStore {
    return new SpeechModelStore(trx)
  }

  /** Returns the installed models by id. */
  async listInstalled(): Promise<InstalledModel[]> {
    const rows = await this.#db.selectFrom('speech_models').selectAll().orderBy('id').execute()
    return rows.map(({ install_id, manifest }) => ({ installId: install_id, model: fromJson(manifest) }))
  }

  /** Returns the installations in progress and those that failed, by id of the model. */
  async listInstallations(): Promise<Installation[]> {
    const rows = await this.#db.selectFrom('speech_model_installs').selectAll().orderBy('id').execute()
    return rows.map(toInstallation)
  }

  async findInstallation(id: string): Promise<Installation | undefined> {
    const row = await this.#db
      .selectFrom('speech_model_installs')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst()
    return row && toInstallation(row)
  }

  /** Requests an installation, or repeats one that failed. @returns why it is rejected, if it is */
  async request(
    { manifest, source, installId, owner }: InstallRequest,
    now: number,
  ): Promise<'installed' | 'installing' | undefined> {
    const { id } = manifest
    return inTransaction(this.#db, async (trx) => {
      const row = await trx
        .selectFrom('speech_model_installs')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirst()
      const isLeased = row !== undefined && row.lease_until !== null && row.lease_until > now
      // The process that had a local model has died.
      const isAbandoned = row?.source === 'local' && !isLeased
      if (row && row.status === 'pending' && !isAbandoned) return 'installing'
      // Read second: an installation that completes in between is found as an installed model.
      const installed = await trx
        .selectFrom('speech_models')
        .select('id')
        .where('id', '=', id)
        .executeTakeFirst()
      if (installed) return 'installed'
      if (row) await trx.deleteFrom('speech_model_installs').where('id', '=', id).execute()
      const isContinued = row !== undefined && isSameModel(fromJson(row.manifest), manifest)
      const { numInsertedOrUpdatedRows } = await trx
        .insertInto('speech_model_installs')
        .values({
          id,
          source,
          install_id: isContinued ? row.install_id : installId,
          manifest: isContinued ? row.manifest : toJson(manifest),
          stored_files: isContinued ? row.stored_files : 0,
          received_bytes: isContinued ? row.received_bytes : 0,
          status: 'pending',
          failure: null,
          attempts: owner === undefined ? 0 : 1,
          lease_owner: owner ?? null,
          lease_until: owner === undefined ? null : now + ROW_LEASE_MS,
          created_at: now,
        })
        // Of concurrent requests, one succeeds.
        .onConflict((conflict) => conflict.column('id').doNothing())
        .executeTakeFirstOrThrow()
      if (numInsertedOrUpdatedRows === 0n) return 'installing'
      return undefined
    })
  }

  /** Deletes an installation, which ends it on the node that runs it. @returns what was deleted */
  async cancel(id: string): Promise<Installation | undefined> {
    const row = await this.#db
      .deleteFrom('speech_model_installs')
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst()
    return row && toInstallation(row)
  }

  /** Records the progress of an installation. @returns false if the lease was lost or the installation canceled */
  async setProgress(
    { id, manifest, storedFiles, receivedBytes }: Omit<Installation, 'attempts'>,
    owner: string,
  ): Promise<boolean> {
    return this.#updateLeased(id, owner, {
      manifest: toJson(manifest),
      stored_files: storedFiles,
      received_bytes: receivedBytes,
    })
  }

  /** Ends an installation with a sentence that says why. */
  async fail(id: string, owner: string, failure: string): Promise<void> {
    await this.#updateLeased(id, owner, {
      status: 'failed',
      failure,
      lease_owner: null,
      lease_until: null,
    })
  }

  /** Releases an installation, which any node continues. */
  async release(id: string, owner: string, attempts: number): Promise<void> {
    await this.#updateLeased(id, owner, { lease_owner: null, lease_until: null, attempts })
  }

  /** Turns an installation into an installed model. @returns false if the lease was lost or the installation canceled */
  async complete({ installId, model }: InstalledModel, owner: string, now: number): Promise<boolean> {
    return inTransaction(this.#db, async (trx) => {
      const { numDeletedRows } = await trx
        .deleteFrom('speech_model_installs')
        .where('id', '=', model.id)
        .where('install_id', '=', installId)
        .where('lease_owner', '=', owner)
        .executeTakeFirstOrThrow()
      if (numDeletedRows === 0n) return false
      await trx
        .insertInto('speech_models')
        .values({ id: model.id, install_id: installId, manifest: toJson(model), installed_at: now })
        .execute()
      return true
    })
  }

  /** Removes an installed model. @returns what was removed */
  async remove(id: string): Promise<InstalledModel | undefined> {
    const row = await this.#db
      .deleteFrom('speech_models')
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst()
    return row && { installId: row.install_id, model: fromJson(row.manifest) }
  }

  /**
   * Returns the ids of all installations, whether in progress, failed or complete. Those in progress are read first: an
   * installation that completes meanwhile is in the result.
   */
  async installIds(): Promise<Set<string>> {
    const pending = await this.#db.selectFrom('speech_model_installs').select('install_id').execute()
    const complete = await this.#db.selectFrom('speech_models').select('install_id').execute()
    return new Set([...pending, ...complete].map(({ install_id }) => install_id))
  }

  async #updateLeased(id: string, owner: string, changes: Partial<SpeechModelInstallRow>): Promise<boolean> {
    const { numUpdatedRows } = await this.#db
      .updateTable('speech_model_installs')
      .set(changes)
      .where('id', '=', id)
      .where('lease_owner', '=', owner)
      .executeTakeFirstOrThrow()
    return numUpdatedRows > 0n
  }
}

/** Whether files that are stored for one manifest are those of another. */
function isSameModel(stored: ModelManifest, requested: ModelManifest): boolean {
  return (
    stored.files.length === requested.files.length &&
    requested.files.every(({ name, url, bytes, sha256 }, index) => {
      const file = stored.files[index]
      return (
        file?.name === name &&
        file.url === url &&
        (bytes === undefined || file.bytes === bytes) &&
        (sha256 === undefined || file.sha256 === sha256)
      )
    })
  )
}

function toInstallation(row: SpeechModelInstallRow): Installation {
  return {
    id: row.id,
    installId: row.install_id,
    manifest: fromJson(row.manifest),
    source: row.source,
    isFailed: row.status === 'failed',
    failure: row.failure ?? undefined,
    storedFiles: row.stored_files,
    receivedBytes: row.received_bytes,
    attempts: row.attempts,
  }
}
