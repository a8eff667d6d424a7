import { type Expression, type ExpressionBuilder, type ReferenceExpression, type SqlBool, sql } from 'kysely'
import type { Schema } from '../../db/index.ts'
import type { Viewer } from './app.ts'

type Apps = ExpressionBuilder<Schema, 'apps'>
type Is = Expression<SqlBool>

/** Which apps a list holds. */
export type Condition = (e: Apps) => Is

/** An app whose column has one of the values. */
export function anyOf(e: Apps, column: 'apps.id' | 'apps.package_name', values: readonly string[]): Is {
  const storable = values.filter(isStorable)
  return storable.length === 0 ? e.lit(false) : e(column, 'in', storable)
}

/** A published app. */
export function published(e: Apps): Is {
  return e('apps.app_store_status', '=', 'PUBLISHED')
}

/** An app of an organization. */
export function ownedBy(e: Apps, organizationId: string): Is {
  return e('apps.organization_id', '=', organizationId)
}

/** An app a user installed. */
export function installedBy(e: Apps, userId: string): Is {
  return e('apps.id', 'in', e.selectFrom('installs').select('app_id').where('user_id', '=', userId))
}

/** An app a user may see (decision C2). */
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

/** An app whose name or description contains a text, in any case. `%`, `_` and `\` in it mean themselves. */
export function contains(e: Apps, text: string): Is {
  if (!isStorable(text)) return e.lit(false)
  const pattern = `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
  const like = (column: ReferenceExpression<Schema, 'apps'> & string) =>
    sql<SqlBool>`${sql.ref(column)} like ${pattern} escape '\\'`
  return e.or([like('apps.name_lower'), like('apps.description_lower')])
}

/** PostgreSQL refuses a question about U+0000, which no text of its own can hold. */
function isStorable(text: string): boolean {
  return !text.includes('\0')
}
