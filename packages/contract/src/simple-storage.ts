import { Type } from 'typebox'

/**
 * Limits of the storage of an app for one user: characters of a key and of a value (in UTF-16 units, as the app SDK
 * counts), number of keys, and total bytes of keys and values in UTF-8.
 */
export const SIMPLE_STORAGE_LIMITS = { key: 500, value: 100_000, keys: 10_000, bytes: 1_000_000 } as const

const value = Type.String({ maxLength: SIMPLE_STORAGE_LIMITS.value })
const ack = { success: Type.Literal(true) }

/** Schema of the path parameters of an app's storage for a user. */
export const storageParams = Type.Object({
  email: Type.String({ maxLength: 254, description: 'E-mail address of the user, case-insensitive' }),
})

/** Schema of the path parameters of one value. */
export const storageKeyParams = Type.Object({
  ...storageParams.properties,
  key: Type.String({ minLength: 1, maxLength: SIMPLE_STORAGE_LIMITS.key, description: 'Stored verbatim' }),
})

/** Schema of the body that merges values into the storage. */
export const storageBody = Type.Object(
  { data: Type.Record(Type.String(), Type.Unknown(), { description: 'Strings by key' }) },
  { title: 'SimpleStorageChange' },
)

/** Schema of the body that sets one value. */
export const storageValueBody = Type.Object({ value }, { title: 'SimpleStorageValueChange' })

/** Schema of the response with all stored values. */
export const storageResponse = Type.Object(
  { ...ack, data: Type.Record(Type.String(), Type.String()) },
  { title: 'SimpleStorage' },
)

/** Schema of the response with one value. */
export const storageValueResponse = Type.Object(
  { ...ack, data: Type.Object({ value: Type.String() }) },
  { title: 'SimpleStorageValue' },
)

/** Schema of the acknowledgement of a stored change. */
export const storageAck = Type.Object(ack, { title: 'SimpleStorageDone' })
