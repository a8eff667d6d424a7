import type { DBAdapter, Where } from 'better-auth/adapters'
import { hashSecret } from '../../identity/index.ts'

type Adapter = DBAdapter

/**
 * Stores the tokens of sessions as hashes, so that nobody can sign in with what the database contains. Results contain
 * the token of the request.
 */
export function hashSessionTokens(adapter: Adapter): Adapter {
  const hashing: Adapter = {
    ...adapter,
    // The adapter has no transactions, but would pass itself on.
    transaction: (callback) => callback(hashing),
    create: (async (request: Parameters<Adapter['create']>[0]) => {
      const { token } = request.data as { token?: unknown }
      if (request.model !== 'session' || typeof token !== 'string') return adapter.create(request)
      const created = await adapter.create({
        ...request,
        data: { ...request.data, token: hashSecret(token) },
      })
      return { ...created, token }
    }) as Adapter['create'],
    findOne: (async (request: Parameters<Adapter['findOne']>[0]) => {
      const found = await adapter.findOne<object>({ ...request, where: hashed(request.model, request.where) })
      return withToken(found, request)
    }) as Adapter['findOne'],
    update: (async (request: Parameters<Adapter['update']>[0]) => {
      const updated = await adapter.update<object>({
        ...request,
        where: hashed(request.model, request.where),
      })
      return withToken(updated, request)
    }) as Adapter['update'],
    findMany: ((request) =>
      adapter.findMany({
        ...request,
        where: hashed(request.model, request.where ?? []),
      })) as Adapter['findMany'],
    updateMany: (request) => adapter.updateMany({ ...request, where: hashed(request.model, request.where) }),
    delete: (request) => adapter.delete({ ...request, where: hashed(request.model, request.where) }),
    deleteMany: (request) => adapter.deleteMany({ ...request, where: hashed(request.model, request.where) }),
    consumeOne: ((request: Parameters<NonNullable<Adapter['consumeOne']>>[0]) =>
      adapter.consumeOne({
        ...request,
        where: hashed(request.model, request.where),
      })) as Adapter['consumeOne'],
  }
  return hashing
}

const hash = (value: Where['value']) => (typeof value === 'string' ? hashSecret(value) : value)

function hashed(model: string, where: readonly Where[]): Where[] {
  if (model !== 'session') return [...where]
  return where.map((clause) => {
    if (clause.field !== 'token') return clause
    const { value } = clause
    return {
      ...clause,
      value: Array.isArray(value) ? value.map((one) => hashSecret(String(one))) : hash(value),
    }
  })
}

function withToken(row: object | null, { model, where }: { model: string; where: readonly Where[] }) {
  const token = where.find(({ field, operator = 'eq' }) => field === 'token' && operator === 'eq')?.value
  return row !== null && model === 'session' && typeof token === 'string' ? { ...row, token } : row
}
