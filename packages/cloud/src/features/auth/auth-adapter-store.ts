import { type CleanedWhere, createAdapterFactory, type DBAdapterInstance } from 'better-auth/adapters'
import { type Expression, type Kysely, type SqlBool, sql } from 'kysely'
import type { Database } from '../../db/index.ts'

type Values = Record<string, unknown>

/** Tables by name. The options of better-auth name tables and columns, so their types are not known here. */
type AnyTables = Record<string, Record<string, unknown>>

/**
 * Stores the records of better-auth in the database of the cloud, in the cloud's conventions: times are epoch
 * milliseconds and booleans 0 or 1 on SQLite and PostgreSQL alike. No transaction spans a call of better-auth, because
 * it hashes passwords within them, and SQLite has a single writer.
 */
export function createAuthAdapter(database: Database): DBAdapterInstance {
  const db = database as unknown as Kysely<AnyTables>
  return createAdapterFactory({
    config: {
      adapterId: 'glasses-cloud',
      supportsDates: true,
      supportsBooleans: false,
      supportsJSON: false,
      supportsArrays: false,
      transaction: false,
      customTransformInput: ({ data }) => toColumn(data),
      customTransformOutput: ({ data, fieldAttributes }) =>
        fieldAttributes.type === 'date' && typeof data === 'number' ? new Date(data) : data,
    },
    adapter: ({ getFieldName }) => ({
      async create({ model, data }) {
        const query = db.insertInto(model).values(data).returningAll()
        return (await query.executeTakeFirstOrThrow()) as typeof data
      },
      async findOne<T>({ model, where }: { model: string; where: CleanedWhere[] }) {
        const query = db.selectFrom(model).selectAll().where(matches(where)).limit(1)
        return ((await query.executeTakeFirst()) ?? null) as T | null
      },
      async findMany<T>({
        model,
        where = [],
        limit,
        sortBy,
        offset,
      }: {
        model: string
        where?: CleanedWhere[] | undefined
        limit: number
        sortBy?: { field: string; direction: 'asc' | 'desc' } | undefined
        offset?: number | undefined
      }) {
        let query = db.selectFrom(model).selectAll().where(matches(where)).limit(limit)
        if (sortBy !== undefined)
          query = query.orderBy(getFieldName({ model, field: sortBy.field }), sortBy.direction)
        if (offset !== undefined) query = query.offset(offset)
        return (await query.execute()) as T[]
      },
      async update<T>({ model, where, update }: { model: string; where: CleanedWhere[]; update: T }) {
        const query = db
          .updateTable(model)
          .set(update as Values)
          .where('id', 'in', firstId(db, model, where))
          .returningAll()
        return ((await query.executeTakeFirst()) ?? null) as T | null
      },
      async updateMany({ model, where, update }) {
        const query = db.updateTable(model).set(update).where(matches(where))
        return Number((await query.executeTakeFirstOrThrow()).numUpdatedRows)
      },
      async delete({ model, where }) {
        await db
          .deleteFrom(model)
          .where('id', 'in', firstId(db, model, where))
          .execute()
      },
      async deleteMany({ model, where }) {
        const query = db.deleteFrom(model).where(matches(where))
        return Number((await query.executeTakeFirstOrThrow()).numDeletedRows)
      },
      async count({ model, where = [] }) {
        const query = db
          .selectFrom(model)
          .select((e) => e.fn.countAll().as('count'))
          .where(matches(where))
        return Number((await query.executeTakeFirstOrThrow()).count)
      },
      /** Deletes a row and returns it; of concurrent calls, one receives it. */
      async consumeOne<T>({ model, where }: { model: string; where: CleanedWhere[] }) {
        const query = db
          .deleteFrom(model)
          .where('id', 'in', firstId(db, model, where))
          .where(matches(where))
          .returningAll()
        return ((await query.executeTakeFirst()) ?? null) as T | null
      },
      /** Adds to counters of a row that still matches. */
      async incrementOne<T>({
        model,
        where,
        increment,
        set = {},
      }: {
        model: string
        where: CleanedWhere[]
        increment: Record<string, number>
        set?: Values | undefined
      }) {
        const sums = Object.entries(increment).map(([column, by]) => [
          column,
          sql`coalesce(${sql.ref(column)}, 0) + ${by}`,
        ])
        const query = db
          .updateTable(model)
          .set({ ...set, ...Object.fromEntries(sums) })
          .where('id', 'in', firstId(db, model, where))
          .where(matches(where))
          .returningAll()
        return ((await query.executeTakeFirst()) ?? null) as T | null
      },
    }),
  })
}

function toColumn(value: unknown): unknown {
  if (value instanceof Date) return value.getTime()
  if (typeof value === 'boolean') return value ? 1 : 0
  return value
}

function firstId(db: Kysely<AnyTables>, model: string, where: readonly CleanedWhere[]) {
  return db.selectFrom(model).select('id').where(matches(where)).limit(1)
}

/** Conditions joined by `AND`, and beside them those joined by `OR`, of which one is sufficient. */
function matches(where: readonly CleanedWhere[]): Expression<SqlBool> {
  const all = where.filter(({ connector }) => connector !== 'OR').map(condition)
  const any = where.filter(({ connector }) => connector === 'OR').map(condition)
  const either = any.length === 0 ? [] : [sql`(${sql.join(any, sql` or `)})`]
  return sql<SqlBool>`${sql.join([sql`1 = 1`, ...all, ...either], sql` and `)}`
}

function condition({ field, operator, value, mode }: CleanedWhere): Expression<SqlBool> {
  const ignoresCase = mode === 'insensitive' && typeof value === 'string'
  const column = ignoresCase ? sql`lower(${sql.ref(field)})` : sql.ref(field)
  const operand = ignoresCase ? value.toLowerCase() : value
  const compare = (comparison: string) => sql<SqlBool>`${column} ${sql.raw(comparison)} ${operand}`
  switch (operator) {
    case 'eq':
      return operand === null ? sql<SqlBool>`${column} is null` : compare('=')
    case 'ne':
      return operand === null ? sql<SqlBool>`${column} is not null` : compare('<>')
    case 'lt':
      return compare('<')
    case 'lte':
      return compare('<=')
    case 'gt':
      return compare('>')
    case 'gte':
      return compare('>=')
    case 'in':
      return inList(column, operand)
    case 'not_in':
      return sql<SqlBool>`not (${inList(column, operand)})`
    case 'contains':
      return like(column, `%${escapePattern(operand)}%`)
    case 'starts_with':
      return like(column, `${escapePattern(operand)}%`)
    case 'ends_with':
      return like(column, `%${escapePattern(operand)}`)
  }
}

function inList(column: Expression<unknown>, values: unknown): Expression<SqlBool> {
  if (!Array.isArray(values) || values.length === 0) return sql<SqlBool>`1 = 0`
  return sql<SqlBool>`${column} in (${sql.join(values)})`
}

const escapePattern = (text: unknown) => String(text).replace(/[\\%_]/g, '\\$&')
const like = (column: Expression<unknown>, pattern: string) =>
  sql<SqlBool>`${column} like ${pattern} escape '\\'`
