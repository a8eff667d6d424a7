/** Settings of the glasses' system that apps may read, with the values they have until the wearer changes them. */
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

/** The whole set of OS settings; apps are always given all of it (app socket protocol, 5.1-4). */
export type OsSettings = { [Key in OsSettingKey]: boolean | number }

/** Some of the OS settings. */
export type OsSettingChanges = Partial<OsSettings>

/** Settings by key, as phones store them; each value is any JSON value. */
type StoredSettings = Readonly<Record<string, unknown>>

/**
 * What each OS setting is called among the settings a phone stores (glasses socket protocol, 3.7), and where a
 * `core_status_update` has it (2.1.1). Phones do not store which microphone is used; its key is the status's own.
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

/** The OS settings among the settings a user stored, each of its own type, over the defaults. */
export function readOsSettings(stored: StoredSettings): OsSettings {
  const entries = OS_SETTING_KEYS.map((key) => {
    const value = stored[FIELD_NAMES[key].stored]
    return [key, typeof value === typeof OS_SETTING_DEFAULTS[key] ? value : OS_SETTING_DEFAULTS[key]]
  })
  return Object.fromEntries(entries) as OsSettings
}

/** OS settings under the names a phone stores them by. */
export function toStoredSettings(settings: OsSettingChanges): StoredSettings {
  return Object.fromEntries(
    OS_SETTING_KEYS.flatMap((key) =>
      settings[key] === undefined ? [] : [[FIELD_NAMES[key].stored, settings[key]]],
    ),
  )
}

/**
 * What is wrong with a value for a setting of a phone, if an OS setting is made of it; other settings may be
 * anything.
 * @returns the rest of a sentence, such as `must be a number`
 */
export function validateOsSetting(storedName: string, value: unknown): string | undefined {
  const key = KEY_BY_STORED_NAME.get(storedName)
  if (key === undefined || typeof value === typeof OS_SETTING_DEFAULTS[key]) return undefined
  return typeof OS_SETTING_DEFAULTS[key] === 'number' ? 'must be a number' : 'must be true or false'
}

/** What a `core_status_update` says. */
export interface CoreStatus {
  readonly settings: OsSettingChanges
  /** The model of the connected glasses; null while there are none. */
  readonly modelName: string | null
}

/** Reads the `status` of a `core_status_update`; nothing if one of its three parts is missing. */
export function parseCoreStatus(status: unknown): CoreStatus | undefined {
  const { core_info, connected_glasses, glasses_settings } = asRecord(asRecord(status)?.status) ?? {}
  const parts = { core_info: asRecord(core_info), glasses_settings: asRecord(glasses_settings) }
  const glasses = asRecord(connected_glasses)
  if (!parts.core_info || !parts.glasses_settings || !glasses) return undefined
  const settings = Object.fromEntries(
    OS_SETTING_KEYS.flatMap((key) => {
      const [part, field] = FIELD_NAMES[key].status
      const value = parts[part]?.[field]
      return typeof value === typeof OS_SETTING_DEFAULTS[key] ? [[key, value]] : []
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
