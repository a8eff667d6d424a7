import { Type } from 'typebox'

/** Path parameter of one photo. What no photo can be named cannot be found, so it is no bad request. */
export const photoPath = Type.Object({ photoId: Type.String({ pattern: '^[0-9a-z]{1,100}$' }) })
