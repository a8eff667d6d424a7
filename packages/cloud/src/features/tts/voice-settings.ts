import {
  createValidator,
  findViolations,
  formatViolation,
  type VoiceSettings,
  voiceSettings,
} from '@glasses-cloud/contract'
import { fault } from '../../http/fault.ts'

const validator = createValidator(voiceSettings)

/**
 * Reads the `voice_settings` of a request.
 * @throws Fault if it is no JSON, or holds what no voice can do
 */
export function readVoiceSettings(text: string | undefined): VoiceSettings {
  if (text === undefined) return {}
  const value = parsed(text)
  if (validator.Check(value)) return value
  const [breach] = findViolations(validator.Errors(value))
  if (breach === undefined || breach.field === '') throw fault('TTS_VOICE_SETTINGS_INVALID')
  throw fault('TTS_VOICE_SETTINGS_INVALID', { message: `voice_settings.${formatViolation(breach, '')}` })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
