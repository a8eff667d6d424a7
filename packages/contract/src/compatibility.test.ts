import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkCompatibility, HARDWARE_TYPES, type HardwareRequirement } from './compatibility.ts'
import { findCapabilities } from './device-profiles.ts'

const g1 = findCapabilities('Even Realities G1')
const live = findCapabilities('Mentra Live')
const z100 = findCapabilities('Vuzix Z100')

const required = (type: HardwareRequirement['type'], description?: string): HardwareRequirement =>
  description === undefined ? { type, level: 'REQUIRED' } : { type, level: 'REQUIRED', description }
const optional = (type: HardwareRequirement['type']): HardwareRequirement => ({ type, level: 'OPTIONAL' })

describe('hardware compatibility', () => {
  test('CAT-50: an app without requirements is compatible', () => {
    assert.deepEqual(checkCompatibility([], g1), {
      isCompatible: true,
      missingRequired: [],
      missingOptional: [],
      message: 'Works fully with the connected glasses',
    })
  })

  test('CAT-51: without a known device nothing is missing, and the message reports that nothing was checked', () => {
    for (const requirements of [[], [required('CAMERA'), optional('LIGHT')]]) {
      const { message, ...verdict } = checkCompatibility(requirements, null)
      assert.deepEqual(verdict, { isCompatible: true, missingRequired: [], missingOptional: [] })
      assert.match(message, /could not be checked/)
    }
  })

  test('CAT-52: missing required hardware makes an app incompatible and is listed with its description', () => {
    assert.deepEqual(checkCompatibility([required('CAMERA', 'Reads signs'), required('DISPLAY')], g1), {
      isCompatible: false,
      missingRequired: [{ type: 'CAMERA', description: 'Reads signs' }],
      missingOptional: [],
      message: 'The connected glasses lack the required camera',
    })
    assert.equal(
      checkCompatibility([required('CAMERA'), required('WIFI')], g1).message,
      'The connected glasses lack required hardware: camera, wifi',
    )
  })

  test('CAT-53: missing optional hardware is listed, and the app is compatible', () => {
    assert.deepEqual(checkCompatibility([required('DISPLAY'), optional('CAMERA'), optional('LIGHT')], g1), {
      isCompatible: true,
      missingRequired: [],
      missingOptional: [{ type: 'CAMERA' }, { type: 'LIGHT' }],
      message: 'Works with the connected glasses; optional features need: camera, light',
    })
  })

  test('CAT-54: the microphone of the phone satisfies MICROPHONE, and any glasses satisfy EXIST', () => {
    assert.equal(z100?.hasMicrophone, false)
    assert.equal(checkCompatibility([required('MICROPHONE'), required('EXIST')], z100).isCompatible, true)
  })

  test('CAT-52 CAT-53: each hardware type is checked against its flag of the profile', () => {
    const lacking = (profile: typeof g1) =>
      checkCompatibility(
        HARDWARE_TYPES.map((type) => optional(type)),
        profile,
      ).missingOptional.map(({ type }) => type)
    assert.deepEqual(lacking(g1), ['CAMERA', 'SPEAKER', 'BUTTON', 'LIGHT', 'WIFI'])
    assert.deepEqual(lacking(live), ['DISPLAY'])
    assert.deepEqual(lacking(z100), ['CAMERA', 'SPEAKER', 'IMU', 'BUTTON', 'LIGHT', 'WIFI'])
  })

  test('CAT-55: an unknown hardware type counts as missing', () => {
    const requirement = { type: 'HOLOGRAM', level: 'REQUIRED' } as unknown as HardwareRequirement
    assert.equal(checkCompatibility([requirement], live).isCompatible, false)
  })
})
