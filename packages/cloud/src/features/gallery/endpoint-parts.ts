import { Type } from 'typebox'
import { glassesToken } from '../../http/auth/index.ts'

/** Content of a file. */
export const file = Type.Unsafe<unknown>({ type: 'string', format: 'binary' })

/** Pattern of the path parameter of a photo. Endpoints return 404, not 400, for an id that does not match it. */
export const photoId = Type.String({ pattern: '^[0-9a-z]{1,100}$' })

/** What the endpoints of the gallery have in common. */
export const common = { tags: ['gallery'], style: 'bare', auth: glassesToken } as const

/** Whether an `If-None-Match` header matches the ETag, weak or strong. */
export function includesEtag(header: string | undefined, etag: string): boolean {
  return (header ?? '').split(',').some((candidate) => ['*', etag, `W/${etag}`].includes(candidate.trim()))
}
