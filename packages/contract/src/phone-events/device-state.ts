import { type Static, Type } from 'typebox'
import { capabilities } from '../capabilities.ts'
import { anyPart, shortened } from '../tolerant-reader.ts'

// Null resets a value.
const text = Type.Optional(Type.Union([Type.Null(), shortened(200)]))
const flag = Type.Optional(Type.Union([Type.Null(), Type.Boolean()]))
const number = Type.Optional(Type.Union([Type.Null(), Type.Number()]))

/**
 * Fields of the device state that the cloud stores and forwards to running apps (glasses-socket.md §3.8,
 * app-socket.md §2.10). All other fields are ignored: the hotspot password concerns only the phone, and a serial
 * number or a Bluetooth name would identify the user permanently.
 */
const storedFields = {
  connected: flag,
  modelName: text,
  androidVersion: text,
  fwVersion: text,
  buildNumber: text,
  appVersion: text,
  style: text,
  color: text,
  wifiConnected: flag,
  wifiSsid: text,
  wifiLocalIp: text,
  batteryLevel: number,
  charging: flag,
  caseBatteryLevel: number,
  caseCharging: flag,
  caseOpen: flag,
  caseRemoved: flag,
  hotspotEnabled: flag,
  hotspotSsid: text,
}

/** Keys of the device state that the cloud stores. */
export const DEVICE_STATE_KEYS = Object.keys(storedFields) as readonly (keyof typeof storedFields)[]

/** Schema of the body of `POST /api/client/device/state`: the complete device state, or changes to it. */
export const deviceReport = Type.Object(
  {
    ...storedFields,
    hotspotPassword: Type.Optional(
      Type.Unknown({ description: 'Accepted but not stored, like any unknown field' }),
    ),
  },
  { title: 'DeviceReport', description: 'Merged into the previous state.', ...anyPart },
)

/** A phone's report of the device state. */
export type DeviceReport = Static<typeof deviceReport>

/** Schema of the device state that results from a report. */
export const appliedDeviceState = Type.Object(
  {
    isGlassesConnected: Type.Boolean(),
    isPhoneConnected: Type.Boolean({ description: 'Whether the glasses socket is open' }),
    modelName: Type.Union([Type.String(), Type.Null()]),
    capabilities: Type.Union([capabilities, Type.Null()], {
      description:
        'Capabilities of the connected glasses; null if none are connected or the model is unknown',
    }),
  },
  { title: 'AppliedDeviceState' },
)

/** The device state that results from a report. */
export type AppliedDeviceState = Static<typeof appliedDeviceState>

/** Schema of the body of `POST /api/user-data/set-datetime`. */
export const dateTimeReport = Type.Object(
  {
    coreToken: Type.String({ minLength: 1, description: 'Core token of the user' }),
    datetime: Type.String({
      pattern: '^\\d{4}-\\d{2}-\\d{2}[T ]\\d{2}:\\d{2}[0-9:.,+\\-Z ]{0,30}$',
      description: "The phone's date and time, ISO 8601; forwarded verbatim",
    }),
  },
  { title: 'DateTimeReport' },
)
