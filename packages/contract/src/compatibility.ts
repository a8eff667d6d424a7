import { type Static, Type } from 'typebox'
import type { Capabilities } from './capabilities.ts'

/** Hardware an app may ask for. `EXIST` asks for glasses of any kind. */
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

/** Schema of a kind of hardware. */
export const hardwareType = Type.Enum(HARDWARE_TYPES, { title: 'HardwareType' })

/** One of {@link HARDWARE_TYPES}. */
export type HardwareType = Static<typeof hardwareType>

/** Schema of what an app asks of the glasses: without `REQUIRED` hardware it does not start. */
export const hardwareRequirement = Type.Object(
  {
    type: hardwareType,
    level: Type.Enum(['REQUIRED', 'OPTIONAL']),
    description: Type.Optional(Type.String()),
  },
  { title: 'HardwareRequirement' },
)

/** What an app asks of the glasses. */
export type HardwareRequirement = Static<typeof hardwareRequirement>

const missing = Type.Array(Type.Object({ type: hardwareType, description: Type.Optional(Type.String()) }))

/** Schema of the verdict whether an app works with the connected glasses. */
export const compatibility = Type.Object(
  {
    isCompatible: Type.Boolean(),
    missingRequired: missing,
    missingOptional: missing,
    message: Type.String(),
  },
  { title: 'Compatibility' },
)

/** Whether an app works with the connected glasses, what they lack, and a sentence for the wearer. */
export type Compatibility = Static<typeof compatibility>

/**
 * Compares what an app asks for with what the glasses have (decision C6).
 * @param requirements the app's hardware requirements
 * @param capabilities profile of the connected glasses; null when none of a known model are connected, which
 *   speaks for the app: nothing is missing, and the message says that it could not be checked
 */
export function checkCompatibility(
  requirements: readonly HardwareRequirement[],
  capabilities: Capabilities | null,
): Compatibility {
  const lacking = capabilities === null ? [] : requirements.filter(({ type }) => !has(capabilities, type))
  const missingRequired = lacking.filter(({ level }) => level === 'REQUIRED').map(withoutLevel)
  const missingOptional = lacking.filter(({ level }) => level !== 'REQUIRED').map(withoutLevel)
  const isCompatible = missingRequired.length === 0
  const message =
    capabilities === null
      ? 'Compatibility could not be checked: no glasses of a known model are connected'
      : describe(missingRequired, missingOptional)
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
    // The phone's microphone stands in where the glasses have none.
    case 'MICROPHONE':
      return true
    case 'EXIST':
      return true
    // Requirements stored by a newer version may name hardware this one does not know.
    default:
      return false
  }
}
