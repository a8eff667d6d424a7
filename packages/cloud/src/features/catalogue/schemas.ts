import { appState, SINGLE_LINE_PATTERN } from '@glasses-cloud/contract'
import { type TSchema, Type } from 'typebox'
import { dataResponse } from '../../http/schemas.ts'

/** Response with a list. */
export const listResponse = <Entry extends TSchema>(entry: Entry) => dataResponse(Type.Array(entry))

/** Response of install and uninstall. */
export const messageResponse = Type.Object({ success: Type.Literal(true), message: Type.String() })

/** Response of start and stop. */
export const lifecycleResponse = <const Status extends string>(status: Status) =>
  dataResponse(Type.Object({ status: Type.Literal(status), packageName: Type.String(), appState }))

/** String without control characters; PostgreSQL rejects U+0000. */
export const plainText = Type.String({ pattern: SINGLE_LINE_PATTERN })

/** Paths under `/api/apps`, each with the alias without `/api` that phones use. */
export const appPath = (path: string) => [`/api/apps${path}`, `/apps${path}`] as const

/** Key by which lists of apps are ordered. */
export const byPackage = ({ packageName }: { readonly packageName: string }) => packageName
