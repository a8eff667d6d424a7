import type { ExpressionBuilder } from 'kysely'
import type { Schema } from '../../db/index.ts'

/**
 * Matches the apps that a user develops: those that the user registered, and those that the operator registered for the
 * user's address, if it is confirmed (TRU-3).
 */
export function isDeveloper(
  e: ExpressionBuilder<Schema, 'apps'>,
  { id, email }: { readonly id: string; readonly email: string },
) {
  const confirmed = e.selectFrom('users').select('users.id').where('users.id', '=', id)
  return e.or([
    e('apps.developer_user_id', '=', id),
    e.and([
      e('apps.developer_id', '=', email),
      e('apps.developer_user_id', 'is', null),
      e.exists(confirmed.where('users.email_verified', '=', 1)),
    ]),
  ])
}
