import { Type } from 'typebox'

/**
 * How much an app may store for one user: characters of a key, of a value, keys, and bytes of all keys and values
 * together in UTF-8 (1 MB). The first two count UTF-16 units, as the app SDK does.
 */
export const SIMPLE_STORAGE_LIMITS = { key: 500, value: 100_000, keys: 10_000, bytes: 1_000_000 } as const

const value = Type.String({ maxLength: SIMPLE_STORAGE_LIMITS.value })
const ack = { success: Type.Literal(true) }

/** Schema of the path of an app's storage for a user. */
export const storageParams = Type.Object({
  email: Type.String({ maxLength: 254, description: 'E-mail of the user, in any case' }),
})

/** Schema of the path of one value. */
export const storageKeyParams = Type.Object({
  ...storageParams.properties,
  key: Type.String({ minLength: 1, maxLength: SIMPLE_STORAGE_LIMITS.key, description: 'Kept verbatim' }),
})

/** Schema of the body that merges values into the storage. */
export const storageBody = Type.Object(
  { data: Type.Record(Type.String(), Type.Unknown(), { description: 'Texts by key' }) },
  { title: 'SimpleStorageChange' },
)

/** Schema of the body that sets one value. */
export const storageValueBody = Type.Object({ value }, { title: 'SimpleStorageValueChange' })

/** Schema of an answer with all that is stored. */
export const storageResponse = Type.Object(
  { ...ack, data: Type.Record(Type.String(), Type.String()) },
  { title: 'SimpleStorage' },
)

/** Schema of an answer with one value. */
export const storageValueResponse = Type.Object(
  { ...ack, data: Type.Object({ value: Type.String() }) },
  { title: 'SimpleStorageValue' },
)

/** Schema of an answer that a change is stored. */
export const storageAck = Type.Object(ack, { title: 'SimpleStorageDone' })
