import { type Database, locksRows } from '../db/index.ts'

/** A change would leave the cloud without an administrator. */
export class LastAdministrator extends Error {
  constructor() {
    super('The user is the last administrator')
  }
}

/**
 * Requires an administrator to remain when a user is deleted, suspended or made an ordinary one in the same transaction.
 * Of administrators who do so at the same time, on any node, each waits for the one before. Call it first, so that locks are
 * always acquired in the same order.
 * @param trx a transaction
 * @throws LastAdministrator
 */
export async function requireOtherAdministrator(trx: Database, userId: string): Promise<void> {
  let administrators = trx.selectFrom('users').select('id').where('is_administrator', '=', 1).orderBy('id')
  if (locksRows(trx)) administrators = administrators.forUpdate()
  await administrators.execute()
  // A query of its own: it sees what the transaction waited for.
  if (await isLastAdministrator(trx, userId)) throw new LastAdministrator()
}

/** Returns whether a user is the only administrator who has access. */
export async function isLastAdministrator(db: Database, userId: string): Promise<boolean> {
  const administrators = await db
    .selectFrom('users')
    .select('id')
    .where('is_administrator', '=', 1)
    .where('suspended_at', 'is', null)
    .where('id', 'not in', (e) => e.selectFrom('deletions').select('user_id'))
    .limit(2)
    .execute()
  return administrators.length === 1 && administrators[0]?.id === userId
}
