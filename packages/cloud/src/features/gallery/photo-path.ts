import { Type } from 'typebox'

/** Path parameter of a photo. Endpoints return 404, not 400, for an id that does not match the pattern. */
export const photoPath = Type.Object({ photoId: Type.String({ pattern: '^[0-9a-z]{1,100}$' }) })
