import { type Static, Type } from 'typebox'
import { capabilities } from '../capabilities.ts'

const text = Type.Optional(Type.Union([Type.Null(), Type.String({ maxLength: 200 })]))
const flag = Type.Optional(Type.Union([Type.Null(), Type.Boolean()]))
const number = Type.Optional(Type.Union([Type.Null(), Type.Number()]))

/**
 * What the cloud keeps of the glasses, and tells the apps that run (glasses socket protocol, 3.8; app socket
 * protocol, 2.10). What phones report beyond it is left where it is: the password of the hotspot is for the phone
 * alone, and a serial number or Bluetooth name would tell a wearer from all others for good.
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

/** The keys of the state of glasses that the cloud keeps. */
export const DEVICE_STATE_KEYS = Object.keys(storedFields) as readonly (keyof typeof storedFields)[]

/** Schema of the body of `POST /api/client/device/state`: what changed of the glasses, or all of it. */
export const deviceReport = Type.Object(
  {
    ...storedFields,
    hotspotPassword: Type.Optional(
      Type.Unknown({ description: 'Accepted and not kept, as any further field' }),
    ),
  },
  { title: 'DeviceReport', description: 'Merged with what was reported before.' },
)

/** What a phone reports of the glasses. */
export type DeviceReport = Static<typeof deviceReport>

/** Schema of what the cloud takes the glasses to be, after a report. */
export const appliedDeviceState = Type.Object(
  {
    isGlassesConnected: Type.Boolean(),
    isPhoneConnected: Type.Boolean({ description: 'Whether the socket of the glasses is open' }),
    modelName: Type.Union([Type.String(), Type.Null()]),
    capabilities: Type.Union([capabilities, Type.Null()], {
      description: 'Of the connected glasses; null without any, or of an unknown model',
    }),
  },
  { title: 'AppliedDeviceState' },
)

/** What the cloud takes the glasses to be. */
export type AppliedDeviceState = Static<typeof appliedDeviceState>
