import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Compile } from 'typebox/compile'
import { capabilities } from './capabilities.ts'
import { findCapabilities, KNOWN_MODELS } from './device-profiles.ts'

/** Hardware parts of each model, derived from the flags of its profile. */
const parts: Record<string, string> = {
  'Even Realities G1': 'display×2 microphone imu',
  'Even Realities G2': 'display×2 microphone imu button',
  'Mentra Live': 'camera microphone speaker imu button light wifi ota',
  'Simulated Glasses': 'display×1 microphone speaker button',
  'Vuzix Z100': 'display×1',
  'Mentra Mach1': 'display×1',
  'Mentra Display': 'display×1 microphone',
  NIMO: 'display×2 microphone imu button',
  'INMO Go2': 'camera display×1 microphone speaker imu button light wifi',
}

describe('device profiles', () => {
  test('CAT-60: every known model has a profile under its exact name', () => {
    assert.deepEqual([...KNOWN_MODELS].sort(), Object.keys(parts).sort())
    for (const model of KNOWN_MODELS) {
      const glasses = findCapabilities(model)
      assert.ok(glasses)
      assert.equal(glasses.modelName, model)
      const found = [
        glasses.hasCamera && 'camera',
        glasses.hasDisplay && `display×${glasses.display?.count}`,
        glasses.hasMicrophone && 'microphone',
        glasses.hasSpeaker && 'speaker',
        glasses.hasIMU && 'imu',
        glasses.hasButton && 'button',
        glasses.hasLight && 'light',
        glasses.hasWifi && 'wifi',
        glasses.hasOta && 'ota',
      ]
      assert.equal(found.filter(Boolean).join(' '), parts[model])
    }
  })

  test('CAT-60: profiles contain the display and camera details that apps rely on', () => {
    const display = (model: string) => {
      const found = findCapabilities(model)?.display
      return [
        found?.resolution?.width,
        found?.resolution?.height,
        found?.maxTextLines,
        found?.canDisplayBitmap,
      ]
    }
    assert.deepEqual(display('Even Realities G1'), [640, 200, 5, true])
    assert.deepEqual(display('Even Realities G2'), [640, 200, 8, true])
    assert.deepEqual(display('Simulated Glasses'), [640, 480, 7, false])
    assert.deepEqual(display('Vuzix Z100'), [640, 480, 7, false])
    assert.deepEqual(display('Mentra Display'), [640, 480, 7, true])
    assert.deepEqual(display('NIMO'), [640, 400, 5, true])
    assert.deepEqual(display('INMO Go2'), [640, 480, 10, true])
    assert.deepEqual(findCapabilities('Mentra Live')?.camera?.resolution, { width: 1920, height: 1080 })
    assert.deepEqual(findCapabilities('INMO Go2')?.camera?.resolution, { width: 2688, height: 1520 })
  })

  test('CAT-61: an absent part has no details, and every profile is valid against the schema', () => {
    const schema = Compile(capabilities)
    for (const model of KNOWN_MODELS) {
      const glasses = findCapabilities(model)
      assert.ok(glasses)
      assert.ok(schema.Check(glasses), model)
      assert.equal(glasses.camera !== null, glasses.hasCamera, model)
      assert.equal(glasses.display !== null, glasses.hasDisplay, model)
      assert.equal(glasses.microphone !== null, glasses.hasMicrophone, model)
      assert.equal(glasses.speaker !== null, glasses.hasSpeaker, model)
      assert.equal(glasses.button !== null, glasses.hasButton, model)
      assert.equal(glasses.light !== null, glasses.hasLight, model)
      assert.ok(glasses.hasIMU || glasses.imu === null, model)
    }
  })

  test('CAT-62: a model without a profile is unknown, even if its name is similar', () => {
    for (const model of [
      '',
      'None',
      'even realities g1',
      'Even Realities G1 ',
      'Meta Ray-Ban',
      '__proto__',
    ]) {
      assert.equal(findCapabilities(model), null)
    }
  })
})
