import { SHORT_LINE_PATTERN } from '@glasses-cloud/contract'
import { Type } from 'typebox'

/** Path parameter of a user. */
export const userParams = Type.Object({ userId: Type.String({ pattern: SHORT_LINE_PATTERN }) })

/** Notes and reasons of administrators. */
export const noteText = Type.String({ maxLength: 2_000, pattern: '^[^\\x00]*$' })

/** ISO 8601. */
export const iso = (ms: number) => new Date(ms).toISOString()
