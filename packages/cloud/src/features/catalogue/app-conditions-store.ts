import { type Expression, type ExpressionBuilder, type ReferenceExpression, type SqlBool, sql } from 'kysely'
import type { Schema } from '../../db/index.ts'
import type { Viewer } from './app.ts'

type Apps = ExpressionBuilder<Schema, 'apps'>
type Is = Expression<SqlBool>

/** Selects the apps of a list. */
export type Condition = (e: Apps) => Is

/** Matches apps whose column has one of the values. */
export function anyOf(e: Apps, column: 'apps.id' | 'apps.package_name', values: readonly string[]): Is {
  const storable = values.filter(isStorable)
  return storable.length === 0 ? e.lit(false) : e(column, 'in', storable)
}

/** Matches published apps. */
export function published(e: Apps): Is {
  return e('apps.app_store_status', '=', 'PUBLISHED')
}

/** Matches the apps of an organization. */
export function ownedBy(e: Apps, organizationId: string): Is {
  return e('apps.organization_id', '=', organizationId)
}

/** Matches the apps a user installed. */
export function installedBy(e: Apps, userId: string): Is {
  return e('apps.id', 'in', e.selectFrom('installs').select('app_id').where('user_id', '=', userId))
}

/** Matches the apps a user may see (decision C2). */
export function visibleTo(e: Apps, { userId, email, systemPackages = [] }: Viewer): Is {
  return e.or([
    published(e),
    e('apps.developer_id', '=', email.toLowerCase()),
    e(
      'apps.organization_id',
      'in',
      e.selectFrom('organization_members').select('organization_id').where('user_id', '=', userId),
    ),
    installedBy(e, userId),
    anyOf(e, 'apps.package_name', systemPackages),
  ])
}

/**
 * Matches apps whose name or description contains a text, ignoring case. `%`, `_` and `\` have no special meaning.
 */
export function contains(e: Apps, text: string): Is {
  if (!isStorable(text)) return e.lit(false)
  const pattern = `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
  const like = (column: ReferenceExpression<Schema, 'apps'> & string) =>
    sql<SqlBool>`${sql.ref(column)} like ${pattern} escape '\\'`
  return e.or([like('apps.name_lower'), like('apps.description_lower')])
}

/** PostgreSQL rejects strings with U+0000. */
function isStorable(text: string): boolean {
  return !text.includes('\0')
}
