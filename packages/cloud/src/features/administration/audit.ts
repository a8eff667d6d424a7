import type { FastifyRequest } from 'fastify'
import type { User } from '../../identity/index.ts'
import type { AuditStore } from './audit-store.ts'

/** Who acts, and on what. */
export interface ActOptions {
  readonly actor: User
  readonly request: FastifyRequest
  readonly action: string
  readonly target: string
  readonly details?: Readonly<Record<string, unknown>>
}

/** Records every act of an administrator: before it begins, so that none is missing, and how it ended. */
export class Audit {
  readonly #store: AuditStore
  readonly #now: () => number

  /** @param now epoch ms */
  constructor(store: AuditStore, now: () => number) {
    this.#store = store
    this.#now = now
  }

  /** Runs and records an act. @throws the error of the act; the error of the database, before the act */
  async run<Value>(
    { actor, request, action, target, details = {} }: ActOptions,
    act: () => Promise<Value>,
  ): Promise<Value> {
    const entry = { actorId: actor.id, action, target, details, address: request.ip }
    const id = await this.#store.begin(entry, this.#now())
    try {
      const value = await act()
      await this.#store.end(id, 'done')
      return value
    } catch (error) {
      await this.#store.end(id, 'failed').catch(() => {})
      throw error
    }
  }
}
