import type { Multipart } from '@fastify/multipart'
import { PACKAGE_NAME_PATTERN } from '@glasses-cloud/contract'
import type { FastifyRequest } from 'fastify'
import { type TSchema, Type } from 'typebox'
import { fault } from './fault.ts'

/** `{ success: true }`. */
export const successResponse = Type.Object({ success: Type.Literal(true) })

/** `{ success: true, data }`. */
export const dataResponse = <Data extends TSchema>(data: Data) =>
  Type.Object({ success: Type.Literal(true), data })

/** Path parameter of an app. An invalid package name is treated like an unknown one. */
export const packageParam = { packageName: Type.String({ pattern: PACKAGE_NAME_PATTERN }) }

/** Path parameters of endpoints below an app. */
export const appParams = Type.Object(packageParam)

/**
 * Returns a path of the developer API with the aliases that older programs use (reference-behaviour.md §B.2): `/api/cli`
 * for all of it, `/api/dev` for apps and `/api/orgs` for organizations.
 * @param path below `/api/console`, starting with `/apps` or `/orgs`
 * @param older further names of the path, below the same prefixes
 */
export function developerPath(path: string, ...older: readonly string[]): readonly string[] {
  return [path, ...older].flatMap((one) => [
    `/api/console${one}`,
    `/api/cli${one}`,
    one.startsWith('/orgs') ? `/api${one}` : `/api/dev${one}`,
  ])
}

/**
 * Reads the parts of a multipart form. Handlers use it instead of `request.parts()`, which never ends on a connection that
 * was closed before it was called.
 * @throws Fault `BAD_REQUEST` if the connection was closed
 */
export function formParts(request: FastifyRequest): AsyncIterableIterator<Multipart> {
  if (request.raw.destroyed) throw fault('BAD_REQUEST', { message: 'The form could not be read' })
  return request.parts()
}
