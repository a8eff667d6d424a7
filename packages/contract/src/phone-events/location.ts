import { type Static, Type } from 'typebox'
import { clientTimestamp } from '../messages/define-message.ts'

/**
 * How closely a wearer may be followed, low to high, and how old a known position may be to answer a poll of that
 * tier, in milliseconds (glasses socket protocol, 2.7).
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

/** One of {@link LOCATION_TIER_MAX_AGE_MS}. */
export type LocationTier = keyof typeof LOCATION_TIER_MAX_AGE_MS

const TIERS = Object.keys(LOCATION_TIER_MAX_AGE_MS)

/**
 * The tier a name stands for. Without a name, or with an unknown one, it is `standard`, which phones take for
 * everyday accuracy: the app SDK loses the name on its way (app socket protocol, 5.1-2).
 */
export function parseLocationTier(name: string | null | undefined): LocationTier {
  return typeof name === 'string' && Object.hasOwn(LOCATION_TIER_MAX_AGE_MS, name)
    ? (name as LocationTier)
    : 'standard'
}

/** Whether the first tier follows the wearer more closely than the second. */
export function isHigherTier(one: LocationTier, other: LocationTier): boolean {
  return TIERS.indexOf(one) > TIERS.indexOf(other)
}

const measure = Type.Optional(Type.Union([Type.Null(), Type.Number()]))
const latitude = Type.Number({ minimum: -90, maximum: 90, description: 'Degrees' })
const longitude = Type.Number({ minimum: -180, maximum: 180, description: 'Degrees' })
const timestamp = Type.Optional(Type.Union([Type.Null(), clientTimestamp]))

const measures = {
  accuracy: measure,
  altitude: measure,
  altitudeAccuracy: measure,
  heading: measure,
  speed: measure,
} as const

const short = Type.Object({ lat: latitude, lng: longitude, ...measures, timestamp })
const long = Type.Object({ latitude, longitude, ...measures, timestamp })

/**
 * Schema of a position as phones write it (glasses socket protocol, 3.4 and gotcha 21): under `location`, as the
 * phone's own library gives it under `coords`, or flat; with either pair of names.
 */
export const locationReport = Type.Union(
  [
    Type.Object({ location: Type.Union([short, long]) }),
    Type.Object({ coords: long, timestamp }),
    short,
    long,
  ],
  { title: 'LocationReport' },
)

/** A position as phones write it. */
export type LocationReport = Static<typeof locationReport>

/** A position in the one form used inside and towards apps. Metres, degrees, metres a second. */
export interface LocationFix {
  readonly lat: number
  readonly lng: number
  readonly accuracy?: number
  readonly altitude?: number
  readonly altitudeAccuracy?: number
  readonly heading?: number
  readonly speed?: number
  /** When it was taken, as the phone says; not to be trusted. */
  readonly timestamp?: number | string
}

/** Reads a position in whichever form it came. */
export function parseLocationReport(report: LocationReport): LocationFix {
  const fields: Fields = report
  for (const position of [fields.location, fields.coords, fields]) {
    const place = readCoordinates(position)
    if (!place) continue
    const { timestamp = fields.timestamp } = position as Fields
    const measured = Object.keys(measures).flatMap((name) => {
      const value = (position as Fields)[name]
      return typeof value === 'number' ? [[name, value]] : []
    })
    const taken = typeof timestamp === 'number' || typeof timestamp === 'string' ? { timestamp } : {}
    return { ...place, ...Object.fromEntries(measured), ...taken }
  }
  throw new TypeError('the report holds no position: it was not checked against its schema')
}

type Fields = Readonly<Record<string, unknown>>

function readCoordinates(value: unknown): { lat: number; lng: number } | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const fields = value as Fields
  const lat = [fields.lat, fields.latitude].find((degrees) => isWithin(degrees, 90))
  const lng = [fields.lng, fields.longitude].find((degrees) => isWithin(degrees, 180))
  return lat === undefined || lng === undefined ? undefined : { lat, lng }
}

function isWithin(degrees: unknown, limit: number): degrees is number {
  return typeof degrees === 'number' && Math.abs(degrees) <= limit
}
