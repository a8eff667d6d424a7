import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkGlassesMessage } from '../messages/glasses-to-cloud.ts'
import { createValidator } from '../validator.ts'
import {
  isHigherTier,
  type LocationReport,
  locationReport,
  parseLocationReport,
  parseLocationTier,
} from './location.ts'

const validator = createValidator(locationReport)

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
    const text = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, String(value)]))
    const forms: unknown[] = [
      place,
      { latitude, longitude, ...rest },
      { location: place },
      { location: { latitude, longitude, ...rest } },
      { coords: { ...measured, altitudeAccuracy: null, speed: null }, timestamp },
      { ...place, location: null, coords: { latitude: 200, longitude: 0 }, mocked: false },
      { lat: null, lng: null, latitude, longitude, ...rest },
      { lat: latitude, lon: longitude, ...rest },
      { lat: String(latitude), lng: String(longitude), ...text, timestamp },
      { ...place, altitudeAccuracy: 'good', speed: -1 },
    ]
    for (const form of forms) {
      const message = checkGlassesMessage({ type: 'location_update', ...structuredClone(form as object) })
      assert.equal(message.kind, 'known')
      assert.ok(validator.Read(form), JSON.stringify(form))
      assert.deepEqual(parseLocationReport(form as LocationReport), place, JSON.stringify(form))
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
      { lat: 'north', lng: '2' },
      { lat: 90.1, lng: 0 },
      { lat: 0, lng: -180.5 },
      { latitude: null, longitude: 3 },
      { location: { lat: 1 } },
      { location: 'home' },
      { coords: null },
      [],
      'here',
      null,
    ]) {
      assert.equal(validator.Read(form), undefined, JSON.stringify(form))
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
