import { PACKAGE_NAME_PATTERN } from '@glasses-cloud/contract'
import { type TSchema, Type } from 'typebox'

/** `{ success: true }`. */
export const successResponse = Type.Object({ success: Type.Literal(true) })

/** `{ success: true, data }`. */
export const dataResponse = <Data extends TSchema>(data: Data) =>
  Type.Object({ success: Type.Literal(true), data })

/** Path parameter of an app. An invalid package name is treated like an unknown one. */
export const packageParam = { packageName: Type.String({ pattern: PACKAGE_NAME_PATTERN }) }

/** Path parameters of endpoints below an app. */
export const appParams = Type.Object(packageParam)
