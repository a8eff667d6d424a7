interface Version {
  readonly release: readonly number[]
  /** What follows the first hyphen, such as `beta.2`; empty for a release. */
  readonly preRelease: string
}

/** Numbers separated by dots, optionally after a `v`; a pre-release after a hyphen; anything after `+`, `_` or a space. */
const VERSION = /^v?(\d{1,9}(?:\.\d{1,9}){0,9})(?:-([0-9a-z.-]+))?(?:[+_ ].*)?$/i

/**
 * Whether the version of glasses is older than the one that an app requires, compared number by number; missing numbers
 * count as 0, and a pre-release (`2.0.0-beta`) is older than its release.
 * @returns undefined if one of them is unknown or not a version (CAT-66)
 */
export function isOlderVersion(version: string | null, required: string): boolean | undefined {
  const own = parseVersion(version ?? '')
  const minimum = parseVersion(required)
  return own && minimum && compareVersions(own, minimum) < 0
}

/** Whether a minimum version excludes anything: an empty one and `0.0.0` do not. */
export function isVersionRequired(required: string | null | undefined): required is string {
  if (required === null || required === undefined || required.trim() === '') return false
  const minimum = parseVersion(required)
  return minimum === undefined || minimum.release.some((number) => number > 0)
}

function parseVersion(text: string): Version | undefined {
  const [, release, preRelease = ''] = VERSION.exec(text.trim()) ?? []
  return release === undefined ? undefined : { release: release.split('.').map(Number), preRelease }
}

function compareVersions(a: Version, b: Version): number {
  for (let index = 0; index < Math.max(a.release.length, b.release.length); index += 1) {
    const difference = (a.release[index] ?? 0) - (b.release[index] ?? 0)
    if (difference !== 0) return difference
  }
  if (a.preRelease === '' || b.preRelease === '') return b.preRelease.length - a.preRelease.length
  return a.preRelease.localeCompare(b.preRelease, 'en', { numeric: true })
}
