import { type Static, Type } from 'typebox'
import { clientTimestamp } from '../messages/define-message.ts'
import { anyPart } from '../tolerant-reader.ts'

/**
 * Location tiers in increasing accuracy (glasses-socket.md §2.7), with the maximum age of a known location that may
 * answer a poll of that tier.
 */
export const LOCATION_TIER_MAX_AGE_MS = {
  reduced: 900_000,
  threeKilometers: 900_000,
  kilometer: 300_000,
  hundredMeters: 60_000,
  tenMeters: 30_000,
  standard: 30_000,
  high: 10_000,
  realtime: 1_000,
} as const

/** A location tier. */
export type LocationTier = keyof typeof LOCATION_TIER_MAX_AGE_MS

const TIERS = Object.keys(LOCATION_TIER_MAX_AGE_MS)

/** Parses the name of a tier. A missing or unknown name means `standard`: the app SDK drops it (app-socket.md §5.1). */
export function parseLocationTier(name: string | null | undefined): LocationTier {
  return typeof name === 'string' && Object.hasOwn(LOCATION_TIER_MAX_AGE_MS, name)
    ? (name as LocationTier)
    : 'standard'
}

/** Whether the first tier is more accurate than the second. */
export function isHigherTier(one: LocationTier, other: LocationTier): boolean {
  return TIERS.indexOf(one) > TIERS.indexOf(other)
}

const measure = Type.Optional(Type.Number())
const latitude = Type.Number({ minimum: -90, maximum: 90, description: 'Degrees' })
const longitude = Type.Number({ minimum: -180, maximum: 180, description: 'Degrees' })
const timestamp = Type.Optional(clientTimestamp)

const measures = {
  accuracy: measure,
  altitude: measure,
  altitudeAccuracy: measure,
  heading: measure,
  speed: measure,
} as const

const places = [
  Type.Object({ lat: latitude, lng: longitude, ...measures, timestamp }),
  Type.Object({ latitude, longitude, ...measures, timestamp }),
  Type.Object({ lat: latitude, lon: longitude, ...measures, timestamp }),
] as const
const place = Type.Union([...places])

/**
 * Schema of a location as sent by phones (glasses-socket.md §3.4 and glasses-socket.md §7): in `location`, in `coords`,
 * or flat; with short or long names.
 */
export const locationReport = Type.Union(
  [Type.Object({ location: place }), Type.Object({ coords: place, timestamp }), ...places],
  { title: 'LocationReport', ...anyPart },
)

/** A location as sent by a phone. */
export type LocationReport = Static<typeof locationReport>

export const locationFix = Type.Object({
  lat: Type.Number(),
  lng: Type.Number(),
  accuracy: Type.Optional(Type.Number()),
  altitude: Type.Optional(Type.Number()),
  altitudeAccuracy: Type.Optional(Type.Number()),
  heading: Type.Optional(Type.Number()),
  speed: Type.Optional(Type.Number()),
  timestamp: Type.Optional(
    Type.Union([Type.Number(), Type.String()], { description: 'Time according to the phone, not trusted' }),
  ),
})

/** A location in the form that the cloud and apps use, in meters, degrees and meters per second. */
export type LocationFix = Static<typeof locationFix>

/**
 * Parses a location in any of its forms.
 * @throws TypeError if the report does not match {@link locationReport}
 */
export function parseLocationReport(report: LocationReport): LocationFix {
  const fields: Fields = report
  for (const position of [fields.location, fields.coords, fields]) {
    const coordinates = readCoordinates(position)
    if (!coordinates) continue
    const { timestamp = fields.timestamp } = position as Fields
    const measured = Object.keys(measures).flatMap((name) => {
      const value = (position as Fields)[name]
      // iOS reports unknown values as -1.
      const isKnown = typeof value === 'number' && (value >= 0 || name === 'altitude')
      return isKnown ? [[name, value]] : []
    })
    const time = typeof timestamp === 'number' || typeof timestamp === 'string' ? { timestamp } : {}
    return { ...coordinates, ...Object.fromEntries(measured), ...time }
  }
  throw new TypeError('The report contains no location; validate it against its schema first')
}

type Fields = Readonly<Record<string, unknown>>

function readCoordinates(value: unknown): { lat: number; lng: number } | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const fields = value as Fields
  const lat = [fields.lat, fields.latitude].find((degrees) => isWithin(degrees, 90))
  const lng = [fields.lng, fields.longitude, fields.lon].find((degrees) => isWithin(degrees, 180))
  return lat === undefined || lng === undefined ? undefined : { lat, lng }
}

function isWithin(degrees: unknown, limit: number): degrees is number {
  return typeof degrees === 'number' && Math.abs(degrees) <= limit
}
