import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import { type Database, type DeviceCodeRow, inTransaction } from '../../../db/index.ts'
import { type LoginOrigin, LoginStore } from '../../../identity/index.ts'

/** A device sign-in in progress. Times are epoch milliseconds. */
export interface DeviceSignIn {
  readonly id: string
  /** `redeemed`: its login was created. */
  readonly status: 'pending' | 'approved' | 'denied' | 'redeemed'
  /** Who decided. */
  readonly userId: string | undefined
  /** What the device calls itself; anything may be in it. */
  readonly clientName: string | undefined
  readonly intervalMs: number
  readonly lastPolledAt: number | undefined
  /** When the user who approved it had signed in. */
  readonly signedInAt: number | undefined
  readonly expiresAt: number
}

/** Stores device sign-ins. The device code is stored as a hash. */
export class DeviceCodeStore {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /** @throws a unique violation if the user code is in use */
  async create(values: {
    readonly deviceCodeHash: string
    readonly userCode: string
    readonly clientName: string | undefined
    readonly intervalMs: number
    readonly expiresAt: number
  }): Promise<void> {
    await this.#db
      .insertInto('device_codes')
      .values({
        id: randomUUID(),
        device_code: values.deviceCodeHash,
        user_code: values.userCode,
        status: 'pending',
        client_id: values.clientName ?? null,
        polling_interval: values.intervalMs,
        expires_at: values.expiresAt,
      })
      .execute()
  }

  /** Returns the number of device sign-ins in progress. */
  async count(now: number): Promise<number> {
    const { count } = await this.#db
      .selectFrom('device_codes')
      .select((e) => e.fn.countAll().as('count'))
      .where('expires_at', '>', now)
      .executeTakeFirstOrThrow()
    return Number(count)
  }

  /** Finds a device sign-in that waits for a decision. */
  async findPending(userCode: string, now: number): Promise<DeviceSignIn | undefined> {
    const row = await this.#db
      .selectFrom('device_codes')
      .selectAll()
      .where('user_code', '=', userCode)
      .where('status', '=', 'pending')
      .where('expires_at', '>', now)
      .executeTakeFirst()
    return row && toDeviceSignIn(row)
  }

  /**
   * Approves or denies a sign-in that waits for a decision.
   * @param by.signedInAt when the user had signed in
   * @returns whether there was one, or the user has decided so before: the response may have been lost
   */
  async decide(
    userCode: string,
    status: 'approved' | 'denied',
    by: { readonly userId: string; readonly signedInAt: number | undefined },
    now: number,
  ): Promise<boolean> {
    const { numUpdatedRows } = await this.#db
      .updateTable('device_codes')
      .set({ status, user_id: by.userId, signed_in_at: by.signedInAt ?? null })
      .where('user_code', '=', userCode)
      .where('status', '=', 'pending')
      .where('expires_at', '>', now)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows > 0n) return true
    const decided = await this.#db
      .selectFrom('device_codes')
      .select('status')
      .where('user_code', '=', userCode)
      .where('user_id', '=', by.userId)
      .where('expires_at', '>', now)
      .executeTakeFirst()
    return decided !== undefined && (decided.status === 'denied') === (status === 'denied')
  }

  /**
   * Creates the login of an approved sign-in, once. It has the same id; after its end it is not created again.
   * @param login.refreshHash hash of the device code, which is exchanged for the first tokens
   */
  async redeem(
    { id, signedInAt }: DeviceSignIn,
    {
      userId,
      origin,
      refreshHash,
    }: { readonly userId: string; readonly origin: LoginOrigin; readonly refreshHash: string },
    now: number,
  ): Promise<void> {
    await inTransaction(this.#db, async (trx) => {
      const { numUpdatedRows } = await trx
        .updateTable('device_codes')
        .set({ status: 'redeemed' })
        .where('id', '=', id)
        .where('status', '=', 'approved')
        .executeTakeFirstOrThrow()
      if (numUpdatedRows === 0n) return
      const logins = new LoginStore(trx)
      await logins.create(userId, { ...origin, isDevice: true, signedInAt }, now, { id, refreshHash })
    })
  }

  async findByDeviceCode(deviceCodeHash: string): Promise<DeviceSignIn | undefined> {
    const row = await this.#db
      .selectFrom('device_codes')
      .selectAll()
      .where('device_code', '=', deviceCodeHash)
      .executeTakeFirst()
    return row && toDeviceSignIn(row)
  }

  /** Records when the device asked, and how long it must wait before the next time. */
  async recordPoll(id: string, intervalMs: number, now: number): Promise<void> {
    await this.#db
      .updateTable('device_codes')
      .set({ last_polled_at: now, polling_interval: intervalMs })
      .where('id', '=', id)
      .execute()
  }

  async removeExpired(now: number): Promise<void> {
    await this.#db.deleteFrom('device_codes').where('expires_at', '<=', now).execute()
  }
}

function toDeviceSignIn(row: Selectable<DeviceCodeRow>): DeviceSignIn {
  return {
    id: row.id,
    status: row.status as DeviceSignIn['status'],
    userId: row.user_id ?? undefined,
    clientName: row.client_id ?? undefined,
    intervalMs: row.polling_interval ?? 0,
    lastPolledAt: row.last_polled_at ?? undefined,
    signedInAt: row.signed_in_at ?? undefined,
    expiresAt: row.expires_at,
  }
}
