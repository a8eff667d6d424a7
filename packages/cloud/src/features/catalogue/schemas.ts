import { appState, PACKAGE_NAME_PATTERN } from '@glasses-cloud/contract'
import { type TSchema, Type } from 'typebox'

/** What every endpoint of the catalogue is filed under. */
export const tags = ['apps']

/** Schema of an answer with data. */
export const answerOf = <Data extends TSchema>(data: Data) =>
  Type.Object({ success: Type.Literal(true), data })

/** Schema of an answer that holds a list. */
export const listOf = <Entry extends TSchema>(entry: Entry) => answerOf(Type.Array(entry))

/** Schema of an answer to install and uninstall. */
export const done = Type.Object({ success: Type.Literal(true), message: Type.String() })

/** Schema of an answer to start and stop. */
export const lifecycleOf = <const Status extends string>(status: Status) =>
  answerOf(Type.Object({ status: Type.Literal(status), packageName: Type.String(), appState }))

/** Schema of text without control characters, which no row holds and not every database takes. */
export const plainText = Type.String({ pattern: '^[^\\x00-\\x1f\\x7f]*$' })

/** Path parameter of one app. What no package can be named cannot be found, so it is no bad request. */
export const appParams = Type.Object({ packageName: Type.String({ pattern: PACKAGE_NAME_PATTERN }) })

/** Every path under `/api/apps` also works without `/api`, where phones look. */
export const appPath = (path: string) => [`/api/apps${path}`, `/apps${path}`] as const

/** The key by which every list of apps is ordered. */
export const byPackage = ({ packageName }: { readonly packageName: string }) => packageName
