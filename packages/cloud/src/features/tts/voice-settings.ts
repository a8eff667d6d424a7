import { breaches, sentence, type VoiceSettings, validatorOf, voiceSettings } from '@glasses-cloud/contract'
import { fault } from '../../http/fault.ts'

const validator = validatorOf(voiceSettings)

/**
 * Reads the `voice_settings` of a request.
 * @throws Fault if it is no JSON, or holds what no voice can do
 */
export function readVoiceSettings(text: string | undefined): VoiceSettings {
  if (text === undefined) return {}
  const value = parsed(text)
  if (validator.Check(value)) return value
  const [breach] = breaches(validator.Errors(value))
  if (breach === undefined || breach.field === '') throw fault('TTS_VOICE_SETTINGS_INVALID')
  throw fault('TTS_VOICE_SETTINGS_INVALID', { message: `voice_settings.${sentence(breach, '')}` })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
