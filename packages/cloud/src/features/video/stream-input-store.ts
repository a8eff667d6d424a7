import type { Database } from '../../db/index.ts'

/** A recorded input. */
export interface RecordedInput {
  /** Unique, chosen before the provider is called. */
  readonly name: string
  /** Id at the provider; null if its response was lost. */
  readonly inputId: string | null
  /** Whose glasses stream to it. */
  readonly userId: string
}

/** An input of a user. */
export interface UserInput extends RecordedInput {
  readonly holder: string
  /** Epoch ms. */
  readonly renewedAt: number
}

/** Where an input is. */
export interface InputLocation {
  readonly holder: string
  readonly nodeUrl: string
}

/** Stores the inputs of all nodes at streaming providers. */
export class StreamInputStore {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /** @param now epoch ms */
  async add(
    input: InputLocation & { readonly name: string; readonly provider: string; readonly userId: string },
    now: number,
  ): Promise<void> {
    const { name, provider, holder, nodeUrl, userId } = input
    await this.#db
      .insertInto('stream_inputs')
      .values({
        name,
        provider,
        input_id: null,
        holder,
        node_url: nodeUrl,
        renewed_at: now,
        user_id: userId,
      })
      .execute()
  }

  async setInputId(name: string, inputId: string): Promise<void> {
    await this.#db.updateTable('stream_inputs').set({ input_id: inputId }).where('name', '=', name).execute()
  }

  /** Stops the renewal of an input whose creation failed. */
  async abandon(name: string): Promise<void> {
    await this.#db.updateTable('stream_inputs').set({ holder: '' }).where('name', '=', name).execute()
  }

  async remove(name: string): Promise<void> {
    await this.#db.deleteFrom('stream_inputs').where('name', '=', name).execute()
  }

  /** Extends the lease of all inputs of a process. */
  async renew(holder: string, now: number): Promise<void> {
    await this.#db
      .updateTable('stream_inputs')
      .set({ renewed_at: now })
      .where('holder', '=', holder)
      .execute()
  }

  /** Returns inputs at a provider that were last renewed before a time, oldest first. */
  async listExpired(provider: string, before: number, limit: number): Promise<RecordedInput[]> {
    const rows = await this.#db
      .selectFrom('stream_inputs')
      .select(['name', 'input_id', 'user_id'])
      .where('provider', '=', provider)
      .where('renewed_at', '<', before)
      .orderBy('renewed_at')
      .limit(limit)
      .execute()
    return rows.map(({ name, input_id, user_id }) => ({ name, inputId: input_id, userId: user_id }))
  }

  /** Removes the inputs of a user. @returns their ids at their providers */
  async removeByUser(userId: string): Promise<string[]> {
    const removed = await this.#db
      .deleteFrom('stream_inputs')
      .where('user_id', '=', userId)
      .returning('input_id')
      .execute()
    return removed.map(({ input_id }) => input_id).filter((id) => id !== null)
  }

  /** Returns the inputs of a user at a provider. */
  async listByUser(provider: string, userId: string): Promise<UserInput[]> {
    const rows = await this.#db
      .selectFrom('stream_inputs')
      .selectAll()
      .where('provider', '=', provider)
      .where('user_id', '=', userId)
      .execute()
    return rows.map(({ name, input_id, holder, renewed_at }) => ({
      name,
      inputId: input_id,
      userId,
      holder,
      renewedAt: renewed_at,
    }))
  }

  /** Finds the node of an input that was renewed since a time. */
  async locate(inputId: string, since: number): Promise<InputLocation | undefined> {
    const row = await this.#db
      .selectFrom('stream_inputs')
      .select(['holder', 'node_url'])
      .where('input_id', '=', inputId)
      .where('renewed_at', '>=', since)
      .executeTakeFirst()
    return row && { holder: row.holder, nodeUrl: row.node_url }
  }
}
