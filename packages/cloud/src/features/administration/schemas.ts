import { SHORT_LINE_PATTERN } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { administrator } from '../../http/auth/index.ts'

/** What all endpoints of the administration have in common. */
export const common = { tags: ['administration'], style: 'coded', auth: administrator } as const

/** Path parameter of a user. */
export const userParams = Type.Object({ userId: Type.String({ pattern: SHORT_LINE_PATTERN }) })

/** Notes and reasons of administrators. */
export const noteText = Type.String({ maxLength: 2_000, pattern: '^[^\\x00]*$' })
