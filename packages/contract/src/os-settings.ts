import { readAs } from './tolerant-reader.ts'

/** OS settings of the glasses that apps may read, with their defaults. */
export const OS_SETTING_DEFAULTS = {
  useOnboardMic: false,
  contextualDashboard: true,
  headUpAngle: 20,
  dashboardHeight: 4,
  dashboardDepth: 5,
  brightness: 50,
  autoBrightness: false,
  sensingEnabled: true,
  alwaysOnStatusBar: false,
  bypassVad: false,
  bypassAudioEncoding: false,
  metricSystemEnabled: false,
  enforceLocalTranscription: false,
} as const

/** The name of an OS setting. */
export type OsSettingKey = keyof typeof OS_SETTING_DEFAULTS

/** All OS settings; apps always receive the complete set (app-socket.md §5.1). */
export type OsSettings = { [Key in OsSettingKey]: boolean | number }

/** A subset of the OS settings. */
export type OsSettingChanges = Partial<OsSettings>

/** Settings of a user by key, as phones store them; values are any JSON. */
type StoredSettings = Readonly<Record<string, unknown>>

/**
 * Name of each OS setting among the settings a phone stores (glasses-socket.md §3.7), and its place in a
 * `core_status_update` (glasses-socket.md §2.1.1). Phones do not store the microphone choice, so both use one name.
 */
const FIELD_NAMES: Readonly<
  Record<OsSettingKey, { stored: string; status: readonly ['core_info' | 'glasses_settings', string] }>
> = {
  useOnboardMic: { stored: 'force_core_onboard_mic', status: ['core_info', 'force_core_onboard_mic'] },
  contextualDashboard: {
    stored: 'contextual_dashboard',
    status: ['core_info', 'contextual_dashboard_enabled'],
  },
  headUpAngle: { stored: 'head_up_angle', status: ['glasses_settings', 'head_up_angle'] },
  dashboardHeight: { stored: 'dashboard_height', status: ['glasses_settings', 'dashboard_height'] },
  dashboardDepth: { stored: 'dashboard_depth', status: ['glasses_settings', 'dashboard_depth'] },
  brightness: { stored: 'brightness', status: ['glasses_settings', 'brightness'] },
  autoBrightness: { stored: 'auto_brightness', status: ['glasses_settings', 'auto_brightness'] },
  sensingEnabled: { stored: 'sensing_enabled', status: ['core_info', 'sensing_enabled'] },
  alwaysOnStatusBar: {
    stored: 'always_on_status_bar',
    status: ['core_info', 'always_on_status_bar_enabled'],
  },
  bypassVad: { stored: 'bypass_vad_for_debugging', status: ['core_info', 'bypass_vad_for_debugging'] },
  bypassAudioEncoding: {
    stored: 'bypass_audio_encoding_for_debugging',
    status: ['core_info', 'bypass_audio_encoding_for_debugging'],
  },
  metricSystemEnabled: { stored: 'metric_system', status: ['core_info', 'metric_system_enabled'] },
  enforceLocalTranscription: {
    stored: 'enforce_local_transcription',
    status: ['core_info', 'enforce_local_transcription'],
  },
}

const OS_SETTING_KEYS = Object.keys(OS_SETTING_DEFAULTS) as OsSettingKey[]
const KEY_BY_STORED_NAME = new Map(OS_SETTING_KEYS.map((key) => [FIELD_NAMES[key].stored, key]))

/** Reads the OS settings from the stored settings of a user; missing values and values of a wrong type get defaults. */
export function readOsSettings(stored: StoredSettings): OsSettings {
  const entries = OS_SETTING_KEYS.map((key) => [
    key,
    readSetting(key, stored[FIELD_NAMES[key].stored]) ?? OS_SETTING_DEFAULTS[key],
  ])
  return Object.fromEntries(entries) as OsSettings
}

/** The settings of a phone that the session uses. */
export interface PhoneSettings {
  readonly os: OsSettings
  /** Whether the phone is in offline mode, in which it recognizes speech itself. */
  readonly offlineMode: boolean
}

export const PHONE_SETTING_DEFAULTS: PhoneSettings = { os: OS_SETTING_DEFAULTS, offlineMode: false }

/** Reads the phone settings from the stored settings of a user, like `readOsSettings`. */
export function readPhoneSettings(stored: StoredSettings): PhoneSettings {
  return { os: readOsSettings(stored), offlineMode: readAs('boolean', stored.offline_mode) === true }
}

/** Converts OS settings to the names that phones store them under. */
export function toStoredSettings(settings: OsSettingChanges): StoredSettings {
  return Object.fromEntries(
    OS_SETTING_KEYS.flatMap((key) =>
      settings[key] === undefined ? [] : [[FIELD_NAMES[key].stored, settings[key]]],
    ),
  )
}

/**
 * Returns the value to store of a setting: a number or a boolean if it corresponds to an OS setting, otherwise the value itself.
 * @returns undefined if the value cannot be read
 */
export function toStoredValue(storedName: string, value: unknown): unknown {
  const key = KEY_BY_STORED_NAME.get(storedName)
  return key === undefined ? value : readSetting(key, value)
}

function readSetting(key: OsSettingKey, value: unknown): unknown {
  return readAs(typeof OS_SETTING_DEFAULTS[key] === 'number' ? 'number' : 'boolean', value)
}

/** The content of a `core_status_update`. */
export interface CoreStatus {
  readonly settings: OsSettingChanges
  /** Model of the connected glasses; null while no glasses are connected. */
  readonly modelName: string | null
}

/** Parses the `status` of a `core_status_update`; undefined if one of its three parts is missing. */
export function parseCoreStatus(status: unknown): CoreStatus | undefined {
  const { core_info, connected_glasses, glasses_settings } = asRecord(asRecord(status)?.status) ?? {}
  const parts = { core_info: asRecord(core_info), glasses_settings: asRecord(glasses_settings) }
  const glasses = asRecord(connected_glasses)
  if (!parts.core_info || !parts.glasses_settings || !glasses) return undefined
  const settings = Object.fromEntries(
    OS_SETTING_KEYS.flatMap((key) => {
      const [part, field] = FIELD_NAMES[key].status
      const value = readSetting(key, parts[part]?.[field])
      return value === undefined ? [] : [[key, value]]
    }),
  )
  const { model_name } = glasses
  return { settings, modelName: typeof model_name === 'string' && model_name !== '' ? model_name : null }
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined
}
