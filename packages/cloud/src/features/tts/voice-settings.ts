import {
  createValidator,
  findViolations,
  formatViolation,
  type VoiceSettings,
  voiceSettings,
} from '@glasses-cloud/contract'
import { Value } from 'typebox/value'
import { fault } from '../../http/fault.ts'

const validator = createValidator(voiceSettings)

/**
 * Parses the `voice_settings` of a request. Unknown fields, such as those of newer providers, are dropped.
 * @throws Fault `TTS_VOICE_SETTINGS_INVALID` if it is invalid JSON or violates the schema
 */
export function readVoiceSettings(text: string | undefined): VoiceSettings {
  if (text === undefined) return {}
  const value = Value.Clean(voiceSettings, parseJson(text))
  if (validator.Check(value)) return value
  const [violation] = findViolations(validator.Errors(value))
  if (violation === undefined || violation.field === '') throw fault('TTS_VOICE_SETTINGS_INVALID')
  throw fault('TTS_VOICE_SETTINGS_INVALID', { message: `voice_settings.${formatViolation(violation, '')}` })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
