import { cutText } from '@glasses-cloud/contract'

/** Fields that are named, and characters of each: more say no more about what is wrong. */
const MAX_NAMED = { fields: 100, characters: 200 }

/** By request body. */
const pathsByBody = new WeakMap<object, readonly string[]>()

/** Records that fields of a request body could not be read and were left out; the response names them (PHN-66). */
export function addIgnoredFields(body: object, paths: readonly string[]): void {
  if (paths.length === 0) return
  const named = [...ignoredFieldsOf(body), ...paths].slice(0, MAX_NAMED.fields)
  pathsByBody.set(
    body,
    named.map((path) => cutText(path, MAX_NAMED.characters)),
  )
}

/** Returns the paths of the fields that were left out of a request body. */
export function ignoredFieldsOf(body: unknown): readonly string[] {
  return (typeof body === 'object' && body !== null && pathsByBody.get(body)) || []
}
