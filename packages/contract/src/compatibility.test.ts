import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  type ConnectedGlasses,
  checkCompatibility,
  HARDWARE_TYPES,
  type HardwareRequirement,
  isOlderVersion,
  isVersionRequired,
} from './compatibility.ts'
import { findCapabilities } from './device-profiles.ts'

test('CAT-66: pairs of versions', () => {
  const ascending = [
    '0.9',
    '1.0.0-alpha',
    '1.0.0-beta.2',
    '1.0.0-beta.10',
    'v1.0',
    '1.0.0.1',
    '1.2.0',
    ' 1.10 ',
    '2',
    '17.26.1.14',
    '20250814',
  ]
  for (const [index, version] of ascending.entries())
    for (const [other, required] of ascending.entries())
      assert.equal(isOlderVersion(version, required), index < other, `${version} and ${required}`)
  for (const same of ['1.2', 'V1.2.0', '1.2.0.0', '1.2.0+build5', '1.2.0_b2', '1.2.0 (12)']) {
    assert.equal(isOlderVersion(same, '1.2.0'), false, same)
    assert.equal(isOlderVersion('1.2.0', same), false, same)
  }
})

test('CAT-66: what is not a version is not compared', () => {
  for (const unknown of [null, '', 'unknown', 'G1', '1..2', '1.2.', '-1', `1.${'9'.repeat(10)}`, '1.x'])
    assert.equal(isOlderVersion(unknown, '1.0'), undefined, String(unknown))
  assert.equal(isOlderVersion('1.0', 'newest'), undefined)
})

test('CAT-66: an empty minimum and 0.0.0 require nothing', () => {
  for (const nothing of [null, undefined, '', ' ', '0', '0.0.0', 'v0.0'])
    assert.equal(isVersionRequired(nothing), false, String(nothing))
  for (const version of ['0.0.1', '1', 'newest']) assert.equal(isVersionRequired(version), true, version)
})

const glassesOf = (model: string, version: string | null = null): ConnectedGlasses => {
  const capabilities = findCapabilities(model)
  assert.ok(capabilities)
  return { capabilities, version }
}
const g1 = glassesOf('Even Realities G1')
const live = glassesOf('Mentra Live')
const z100 = glassesOf('Vuzix Z100')

const check = (hardwareRequirements: readonly HardwareRequirement[], glasses: ConnectedGlasses | null) =>
  checkCompatibility({ hardwareRequirements }, glasses)

const required = (type: HardwareRequirement['type'], description?: string): HardwareRequirement =>
  description === undefined ? { type, level: 'REQUIRED' } : { type, level: 'REQUIRED', description }
const optional = (type: HardwareRequirement['type']): HardwareRequirement => ({ type, level: 'OPTIONAL' })

describe('hardware compatibility', () => {
  test('CAT-50: an app without requirements is compatible', () => {
    assert.deepEqual(check([], g1), {
      isCompatible: true,
      missingRequired: [],
      missingOptional: [],
      message: 'Works fully with the connected glasses',
    })
  })

  test('CAT-51: without a known device nothing is missing, and the message reports that nothing was checked', () => {
    for (const requirements of [[], [required('CAMERA'), optional('LIGHT')]]) {
      const { message, ...verdict } = check(requirements, null)
      assert.deepEqual(verdict, { isCompatible: true, missingRequired: [], missingOptional: [] })
      assert.match(message, /could not be checked/)
    }
  })

  test('CAT-52: missing required hardware', () => {
    assert.deepEqual(check([required('CAMERA', 'Reads signs'), required('DISPLAY')], g1), {
      isCompatible: false,
      missingRequired: [{ type: 'CAMERA', description: 'Reads signs' }],
      missingOptional: [],
      message: 'The connected glasses lack the required camera',
    })
    assert.equal(
      check([required('CAMERA'), required('WIFI')], g1).message,
      'The connected glasses lack required hardware: camera, wifi',
    )
  })

  test('CAT-53: missing optional hardware', () => {
    assert.deepEqual(check([required('DISPLAY'), optional('CAMERA'), optional('LIGHT')], g1), {
      isCompatible: true,
      missingRequired: [],
      missingOptional: [{ type: 'CAMERA' }, { type: 'LIGHT' }],
      message: 'Works with the connected glasses; optional features need: camera, light',
    })
  })

  test('CAT-54: the microphone of the phone satisfies MICROPHONE, and any glasses satisfy EXIST', () => {
    assert.equal(z100.capabilities.hasMicrophone, false)
    assert.equal(check([required('MICROPHONE'), required('EXIST')], z100).isCompatible, true)
  })

  test('CAT-52 CAT-53: each hardware type is checked against its flag of the profile', () => {
    const lacking = (profile: typeof g1) =>
      check(
        HARDWARE_TYPES.map((type) => optional(type)),
        profile,
      ).missingOptional.map(({ type }) => type)
    assert.deepEqual(lacking(g1), ['CAMERA', 'SPEAKER', 'BUTTON', 'LIGHT', 'WIFI'])
    assert.deepEqual(lacking(live), ['DISPLAY'])
    assert.deepEqual(lacking(z100), ['CAMERA', 'SPEAKER', 'IMU', 'BUTTON', 'LIGHT', 'WIFI'])
  })

  test('CAT-55: an unknown hardware type counts as missing', () => {
    const requirement = { type: 'HOLOGRAM', level: 'REQUIRED' } as unknown as HardwareRequirement
    assert.equal(check([requirement], live).isCompatible, false)
  })

  test('CAT-66: glasses with an older version', () => {
    const app = { hardwareRequirements: [], minHardwareVersion: '2.0.0' }
    assert.deepEqual(checkCompatibility(app, glassesOf('Mentra Live', '1.9')), {
      isCompatible: false,
      missingRequired: [],
      missingOptional: [],
      message: 'The connected glasses have version 1.9, and the app requires 2.0.0',
    })
    const both = { ...app, hardwareRequirements: [required('DISPLAY'), optional('WIFI')] }
    assert.deepEqual(checkCompatibility(both, glassesOf('Mentra Live', '1.9')), {
      isCompatible: false,
      missingRequired: [{ type: 'DISPLAY' }],
      missingOptional: [],
      message:
        'The connected glasses lack the required display. The connected glasses have version 1.9, and the app requires 2.0.0',
    })
    for (const minHardwareVersion of ['1.9', '0.0.0', '', null, undefined]) {
      const { isCompatible, message } = checkCompatibility(
        { ...app, minHardwareVersion },
        glassesOf('Mentra Live', '1.9'),
      )
      assert.deepEqual([isCompatible, message], [true, 'Works fully with the connected glasses'])
    }
  })

  test('CAT-66: an unknown version is not compared, and the message reports it', () => {
    for (const [version, minHardwareVersion] of [
      [null, '2.0.0'],
      ['unknown', '2.0.0'],
      ['1.9', 'newest'],
    ] as const) {
      const glasses = glassesOf('Mentra Live', version)
      const { isCompatible, message } = checkCompatibility(
        { hardwareRequirements: [], minHardwareVersion },
        glasses,
      )
      const expected = `Works fully with the connected glasses. Their version could not be compared with ${minHardwareVersion}`
      assert.deepEqual([isCompatible, message], [true, expected])
    }
    const { message } = checkCompatibility({ hardwareRequirements: [], minHardwareVersion: '2.0.0' }, null)
    assert.match(message, /could not be checked: no glasses/)
  })
})
