import { AUDIT_OPERATOR, type AuditAction } from '@glasses-cloud/contract'
import type { FastifyRequest } from 'fastify'
import { type Database, inTransaction } from '../../db/index.ts'
import type { User } from '../../identity/index.ts'
import type { AuditedAct, AuditStore } from './audit-store.ts'

/** Who acts, and on what. */
export interface ActOptions {
  readonly actor: User
  readonly request: FastifyRequest
  /** One of those that the endpoint declares as `audited`. */
  readonly action: AuditAction
  readonly target: string
  readonly details?: Readonly<Record<string, unknown>>
}

/** Records what administrators change, and which content of users they read: each in exactly one entry. */
export class Audit {
  readonly #db: Database
  readonly #store: AuditStore
  readonly #now: () => number

  /** @param now epoch ms */
  constructor(db: Database, store: AuditStore, now: () => number) {
    this.#db = db
    this.#store = store
    this.#now = now
  }

  /**
   * Runs a change of the database and records it in the same transaction: a change that fails leaves no entry.
   * @param change runs its queries in the given transaction only
   */
  async write<Value>(act: ActOptions, change: (trx: Database) => Promise<Value>): Promise<Value> {
    const entry = toEntry(act)
    return inTransaction(this.#db, async (trx) => {
      const value = await change(trx)
      await this.#store.within(trx).add(entry, 'done', this.#now())
      return value
    })
  }

  /**
   * Runs and records an act beyond the database: before it begins, so that none is missing, and how it ended.
   * @throws the error of the act; the error of the database, before the act
   */
  async run<Value>(act: ActOptions, work: () => Promise<Value>): Promise<Value> {
    const id = await this.#store.add(toEntry(act), 'started', this.#now())
    try {
      const value = await work()
      await this.#store.end(id, 'done')
      return value
    } catch (error) {
      await this.#store.end(id, 'failed').catch(() => {})
      throw error
    }
  }

  /** Records that content of users is read. Call it once the content is found and before any of it is sent. */
  async read(act: ActOptions): Promise<void> {
    await this.#store.add(toEntry(act), 'done', this.#now())
  }
}

/** Records a change by the command line, in the transaction of the change. */
export async function recordOperatorAct(
  store: AuditStore,
  act: Pick<AuditedAct, 'action' | 'target'>,
  now: number,
): Promise<void> {
  await store.add({ ...act, actorId: AUDIT_OPERATOR, details: {}, address: '' }, 'done', now)
}

function toEntry({ actor, request, action, target, details = {} }: ActOptions): AuditedAct {
  const declared = request.routeOptions.config.endpoint?.audited
  if (!declared?.includes(action)) throw new Error(`The endpoint does not declare the action ${action}`)
  return { actorId: actor.id, action, target, details, address: request.ip }
}
