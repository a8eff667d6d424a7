import { type Static, Type } from 'typebox'
import { type Capabilities, capabilities } from './capabilities.ts'

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

/** Hardware that an app may require. `EXIST` stands for any glasses. */
export const HARDWARE_TYPES = [
  'CAMERA',
  'DISPLAY',
  'MICROPHONE',
  'SPEAKER',
  'IMU',
  'BUTTON',
  'LIGHT',
  'WIFI',
  'EXIST',
] as const

export const hardwareType = Type.Enum(HARDWARE_TYPES, { title: 'HardwareType' })

/** One of {@link HARDWARE_TYPES}. */
export type HardwareType = Static<typeof hardwareType>

/** Schema of a hardware requirement. An app does not start without its `REQUIRED` hardware. */
export const hardwareRequirement = Type.Object(
  {
    type: hardwareType,
    level: Type.Enum(['REQUIRED', 'OPTIONAL']),
    description: Type.Optional(Type.String()),
  },
  { title: 'HardwareRequirement' },
)

/** A hardware requirement of an app. */
export type HardwareRequirement = Static<typeof hardwareRequirement>

const missingHardware = Type.Array(
  Type.Object({ type: hardwareType, description: Type.Optional(Type.String()) }),
)

/** Schema of the compatibility of an app with the connected glasses. */
export const compatibility = Type.Object(
  {
    isCompatible: Type.Boolean(),
    missingRequired: missingHardware,
    missingOptional: missingHardware,
    message: Type.String(),
  },
  { title: 'Compatibility' },
)

/** Compatibility of an app with the connected glasses, with a message for the user. */
export type Compatibility = Static<typeof compatibility>

/** What an app requires of glasses. */
export interface GlassesRequirements {
  readonly hardwareRequirements: readonly HardwareRequirement[]
  /** Oldest firmware of the glasses; null or undefined if any will do. */
  readonly minHardwareVersion?: string | null | undefined
}

/** Schema of connected glasses of a known model. */
export const connectedGlasses = Type.Object({
  capabilities,
  version: Type.Union([Type.Null(), Type.String()], {
    description: 'The firmware that they reported; null if it is unknown',
  }),
})

/** Connected glasses of a known model. */
export type ConnectedGlasses = Static<typeof connectedGlasses>

/**
 * Checks the requirements of an app against the connected glasses (decision C6).
 * @param glasses null if no glasses of a known model are connected. The app is then compatible, and the message states
 *   that compatibility could not be checked.
 */
export function checkCompatibility(
  { hardwareRequirements, minHardwareVersion }: GlassesRequirements,
  glasses: ConnectedGlasses | null,
): Compatibility {
  if (glasses === null) {
    const message = 'Compatibility could not be checked: no glasses of a known model are connected'
    return { isCompatible: true, missingRequired: [], missingOptional: [], message }
  }
  const missing = hardwareRequirements.filter(({ type }) => !has(glasses.capabilities, type))
  const missingRequired = missing.filter(({ level }) => level === 'REQUIRED').map(withoutLevel)
  const missingOptional = missing.filter(({ level }) => level !== 'REQUIRED').map(withoutLevel)
  const isOlder = isVersionRequired(minHardwareVersion) && isOlderVersion(glasses.version, minHardwareVersion)
  const isCompatible = missingRequired.length === 0 && isOlder !== true
  const message = [
    // Glasses that are too old do not work, whatever optional hardware they have.
    ...(isOlder === true && missingRequired.length === 0 ? [] : [describe(missingRequired, missingOptional)]),
    ...(isOlder === true
      ? [`The connected glasses have version ${glasses.version}, and the app requires ${minHardwareVersion}`]
      : []),
    ...(isOlder === undefined ? [`Their version could not be compared with ${minHardwareVersion}`] : []),
  ].join('. ')
  return { isCompatible, missingRequired, missingOptional, message }
}

type Missing = Compatibility['missingRequired'][number]

const withoutLevel = ({ type, description }: HardwareRequirement): Missing =>
  description === undefined ? { type } : { type, description }

function describe(required: readonly Missing[], optional: readonly Missing[]): string {
  const [first, ...more] = required
  if (first !== undefined) {
    return more.length === 0
      ? `The connected glasses lack the required ${first.type.toLowerCase()}`
      : `The connected glasses lack required hardware: ${list(required)}`
  }
  return optional.length === 0
    ? 'Works fully with the connected glasses'
    : `Works with the connected glasses; optional features need: ${list(optional)}`
}

const list = (items: readonly Missing[]) => items.map(({ type }) => type.toLowerCase()).join(', ')

/** Returns what glasses have themselves, so without the microphone of the phone. */
export function hardwareOf(glasses: Capabilities): HardwareType[] {
  const own = { MICROPHONE: glasses.hasMicrophone, EXIST: false }
  return HARDWARE_TYPES.filter((type) => own[type as keyof typeof own] ?? has(glasses, type))
}

function has(glasses: Capabilities, type: HardwareType): boolean {
  switch (type) {
    case 'CAMERA':
      return glasses.hasCamera
    case 'DISPLAY':
      return glasses.hasDisplay
    case 'SPEAKER':
      return glasses.hasSpeaker
    case 'IMU':
      return glasses.hasIMU
    case 'BUTTON':
      return glasses.hasButton
    case 'LIGHT':
      return glasses.hasLight
    case 'WIFI':
      return glasses.hasWifi
    // The microphone of the phone is used if the glasses have none.
    case 'MICROPHONE':
      return true
    case 'EXIST':
      return true
    // Requirements stored by a newer version may name hardware that this version does not know.
    default:
      return false
  }
}
