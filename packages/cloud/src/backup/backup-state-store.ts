import { type Database, databaseNow } from '../db/index.ts'

/** Time after which another process may make a backup if the one that makes it does not renew its lease. */
export const BACKUP_LEASE_MS = 60_000

/** The one row: a cloud has one repository that it writes. */
const NAME = 'repository'

/** A backup that was verified after it was written. */
export interface GoodBackup {
  readonly id: string
  /** Epoch ms. */
  readonly at: number
  /** Bytes of the whole repository. */
  readonly bytes: number
  readonly place: string
}

/** How the last backups ended. */
export interface BackupState {
  readonly lastGood: GoodBackup | undefined
  /** Epoch ms since which nothing was backed up: of the last good backup, or of the first attempt. */
  readonly unprotectedSince: number | undefined
  /** The last failure, unless a backup has succeeded since. */
  readonly failure: { readonly at: number; readonly text: string } | undefined
}

/** Stores how the last backups into a repository ended, and leases the repository to one process. */
export class BackupStateStore {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /**
   * Leases the repository if no other process has it.
   * @param owner unique across processes and restarts
   * @param due only if the last success was before a time in epoch ms, and the last attempt that many ms ago; undefined: at
   * once
   */
  async claim(owner: string, due?: { readonly before: number; readonly retryMs: number }): Promise<boolean> {
    const now = databaseNow(this.#db)
    const { numInsertedOrUpdatedRows } = await this.#db
      .insertInto('backup_state')
      .values((e) => ({
        name: NAME,
        lease_owner: owner,
        lease_until: e(now, '+', BACKUP_LEASE_MS),
        tried_at: now,
        first_tried_at: now,
      }))
      .onConflict((conflict) => {
        const update = conflict
          .column('name')
          .doUpdateSet((e) => ({
            lease_owner: owner,
            lease_until: e(now, '+', BACKUP_LEASE_MS),
            tried_at: now,
          }))
          .where((e) =>
            e.or([e('backup_state.lease_until', 'is', null), e('backup_state.lease_until', '<=', now)]),
          )
        return due === undefined
          ? update
          : update
              .where((e) =>
                e.or([
                  // The process that made the last one has died.
                  e('backup_state.lease_until', 'is not', null),
                  e('backup_state.tried_at', '<=', e(now, '-', due.retryMs)),
                ]),
              )
              .where((e) =>
                e.or([
                  e('backup_state.succeeded_at', 'is', null),
                  e('backup_state.succeeded_at', '<=', due.before),
                ]),
              )
      })
      .executeTakeFirstOrThrow()
    return numInsertedOrUpdatedRows === 1n
  }

  /** Extends the lease. @returns false if it was lost */
  async renew(owner: string): Promise<boolean> {
    const now = databaseNow(this.#db)
    const { numUpdatedRows } = await this.#db
      .updateTable('backup_state')
      .set((e) => ({ lease_until: e(now, '+', BACKUP_LEASE_MS) }))
      .where('lease_owner', '=', owner)
      .executeTakeFirstOrThrow()
    return numUpdatedRows > 0n
  }

  /** Records a verified backup and ends the lease. */
  async succeed(owner: string, backup: Omit<GoodBackup, 'at'>): Promise<void> {
    await this.#db
      .updateTable('backup_state')
      .set({
        lease_owner: null,
        lease_until: null,
        succeeded_at: databaseNow(this.#db),
        backup_id: backup.id,
        place: backup.place,
        bytes: backup.bytes,
        failed_at: null,
        failure: null,
      })
      .where('lease_owner', '=', owner)
      .execute()
  }

  /** Records a failed backup and ends the lease. */
  async fail(owner: string, failure: string): Promise<void> {
    await this.#db
      .updateTable('backup_state')
      .set({ lease_owner: null, lease_until: null, failed_at: databaseNow(this.#db), failure })
      .where('lease_owner', '=', owner)
      .execute()
  }

  /** Ends the lease without a result: the backup is due again. */
  async release(owner: string): Promise<void> {
    await this.#db
      .updateTable('backup_state')
      .set({ lease_owner: null, lease_until: null, tried_at: 0 })
      .where('lease_owner', '=', owner)
      .execute()
  }

  async read(): Promise<BackupState> {
    const row = await this.#db
      .selectFrom('backup_state')
      .selectAll()
      .where('name', '=', NAME)
      .executeTakeFirst()
    const { succeeded_at: at, first_tried_at, backup_id: id, place, bytes, failed_at, failure } = row ?? {}
    const isGood = typeof at === 'number' && typeof id === 'string'
    return {
      lastGood: isGood ? { id, at, bytes: bytes ?? 0, place: place ?? '' } : undefined,
      unprotectedSince: at ?? first_tried_at ?? undefined,
      failure: typeof failed_at === 'number' ? { at: failed_at, text: failure ?? '' } : undefined,
    }
  }
}
