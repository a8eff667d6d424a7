import type { Permission } from '@glasses-cloud/contract'
import type { AppDefinition } from '../ports.ts'
import { createAppDefinition } from '../testing/session-rig.ts'

export const SYSTEM_PACKAGE = 'system.dashboard'

/** The apps of every simulation: two standard apps, which exclude each other, a background app and the dashboard. */
export const PACKAGES = ['com.standard-a', 'com.standard-b', 'com.background', SYSTEM_PACKAGE] as const
export type Package = (typeof PACKAGES)[number]

export function permissionsOf(...types: readonly Permission['type'][]): Permission[] {
  return types.map((type) => ({ type, description: '' }))
}

/** The initial definitions. */
export const DEFINITIONS: ReadonlyMap<Package, AppDefinition> = new Map([
  define('com.standard-a', 'STANDARD', ['MICROPHONE', 'LOCATION', 'CAMERA']),
  define('com.standard-b', 'STANDARD', ['MICROPHONE', 'CALENDAR']),
  define('com.background', 'BACKGROUND', ['ALL']),
  define(SYSTEM_PACKAGE, 'SYSTEM_DASHBOARD', ['LOCATION', 'CAMERA']),
])

function define(
  packageName: Package,
  appType: AppDefinition['appType'],
  permissions: readonly Permission['type'][],
): [Package, AppDefinition] {
  return [
    packageName,
    createAppDefinition(packageName, { appType, permissions: permissionsOf(...permissions) }),
  ]
}

/** A seeded random number generator (mulberry32). The same seed produces the same numbers. */
export class SeededRandom {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  readonly next = (): number => {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** Returns an integer from 0 (inclusive) to `limit` (exclusive). */
  below(limit: number): number {
    return Math.floor(this.next() * limit)
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  pick<Value>(values: readonly Value[]): Value {
    const value = values[this.below(values.length)]
    if (value === undefined) throw new Error('cannot pick from an empty array')
    return value
  }
}
