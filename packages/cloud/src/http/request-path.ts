/**
 * Returns the target of a request with single slashes in its path. Clients append their paths to the address of the cloud,
 * which people type with a slash at its end.
 */
export function withSingleSlashes(target: string): string {
  return target.replace(/^\/[^?#]*/, (path) => path.replaceAll(/\/{2,}/g, '/'))
}
