import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Compile } from 'typebox/compile'
import { checkGlassesMessage } from '../messages/glasses-to-cloud.ts'
import {
  isHigherTier,
  type LocationReport,
  locationReport,
  parseLocationReport,
  parseLocationTier,
} from './location.ts'

const validator = Compile(locationReport)

describe('location reports', () => {
  test('LOC-1: every form is parsed to the same location', () => {
    const place = {
      lat: 48.1,
      lng: -11.5,
      accuracy: 12,
      altitude: 500,
      heading: 0,
      timestamp: 1_767_225_600_000,
    }
    const { lat: latitude, lng: longitude, ...rest } = place
    const { timestamp, ...measured } = { latitude, longitude, ...rest }
    const forms: unknown[] = [
      place,
      { latitude, longitude, ...rest },
      { location: place },
      { location: { latitude, longitude, ...rest } },
      { coords: { ...measured, altitudeAccuracy: null, speed: null }, timestamp },
      { ...place, location: null, coords: { latitude: 200, longitude: 0 }, mocked: false },
      { lat: null, lng: null, latitude, longitude, ...rest },
    ]
    for (const form of forms) {
      assert.ok(validator.Check(form), JSON.stringify(form))
      assert.deepEqual(parseLocationReport(form as LocationReport), place, JSON.stringify(form))
      const message = checkGlassesMessage({ type: 'location_update', ...(form as object) })
      assert.equal(message.kind, 'known')
    }
  })

  test('LOC-1: the extreme coordinates and zero are valid', () => {
    for (const [lat, lng] of [
      [0, 0],
      [90, 180],
      [-90, -180],
    ]) {
      assert.ok(validator.Check({ lat, lng }))
      assert.deepEqual(parseLocationReport({ latitude: lat, longitude: lng } as LocationReport), { lat, lng })
    }
  })

  test('LOC-2: a report without valid coordinates is rejected', () => {
    for (const form of [
      {},
      { lat: 1 },
      { lat: '1', lng: '2' },
      { lat: 90.1, lng: 0 },
      { lat: 0, lng: -180.5 },
      { latitude: null, longitude: 3 },
      { location: { lat: 1 } },
      { location: 'home' },
      { coords: null },
      { lat: 1, lng: 2, accuracy: 'good' },
      [],
      'here',
      null,
    ]) {
      assert.equal(validator.Check(form), false, JSON.stringify(form))
      if (form === null || typeof form !== 'object' || Array.isArray(form)) continue
      assert.equal(checkGlassesMessage({ type: 'location_update', ...form }).kind, 'malformed')
    }
  })

  test('LOC-7: tiers are ordered, and an unknown tier is standard', () => {
    const names = [
      'reduced',
      'threeKilometers',
      'kilometer',
      'hundredMeters',
      'tenMeters',
      'standard',
      'high',
      'realtime',
    ].map(parseLocationTier)
    for (const [at, tier] of names.entries())
      for (const [than, other] of names.entries()) assert.equal(isHigherTier(tier, other), at > than)
    for (const name of [undefined, null, '', 'REALTIME', 'toString', '__proto__'])
      assert.equal(parseLocationTier(name), 'standard')
  })
})
