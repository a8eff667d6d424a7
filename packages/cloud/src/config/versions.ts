/**
 * Compares two versions by major, minor and patch number; what follows them, such as `-rc.1`, does not count.
 * @returns negative if the first one is older, 0 if they are equal
 */
export function compareVersions(one: string, other: string): number {
  const [first, second] = [numbersOf(one), numbersOf(other)]
  const index = first.findIndex((number, position) => number !== second[position])
  return index < 0 ? 0 : (first[index] ?? 0) - (second[index] ?? 0)
}

/** Returns the first version of the major version that a version belongs to. */
export function firstOfMajor(version: string): string {
  return `${numbersOf(version)[0]}.0.0`
}

function numbersOf(version: string): readonly [number, number, number] {
  const [, major, minor, patch] = /^(\d+)\.(\d+)\.(\d+)/.exec(version) ?? []
  if (patch === undefined) throw new Error(`${version} is not a version such as 1.0.0`)
  return [Number(major), Number(minor), Number(patch)]
}
