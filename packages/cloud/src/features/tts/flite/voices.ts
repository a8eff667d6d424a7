import { languageOfTag } from '../language-tag.ts'
import { ENGLISH_ONLY } from './english-text.ts'

export const DEFAULT_FLITE_VOICE = 'slt'

const VOICES: readonly string[] = ['awb', 'kal', 'kal16', 'rms', DEFAULT_FLITE_VOICE]

/** Whether it is the name of a voice, not of a language. */
export function isFliteVoice(name: string): boolean {
  return VOICES.includes(name.toLowerCase())
}

/** Returns the voice of that name, or the usual voice for a language tag of English; undefined for other names. */
export function findFliteVoice(name: string): string | undefined {
  if (isFliteVoice(name)) return name.toLowerCase()
  return languageOfTag(name)?.name === 'English' ? DEFAULT_FLITE_VOICE : undefined
}

/** Whether a name is the tag of a language that Flite does not speak (TTS-72). */
export function isOtherLanguage(name: string): boolean {
  return findFliteVoice(name) === undefined && languageOfTag(name) !== undefined
}

/** Describes what is wrong with a name that `findFliteVoice` does not find. */
export function unknownVoiceMessage(name: string): string {
  const language = languageOfTag(name)?.name
  if (language === undefined) return `${name} is not a voice of flite, which has ${VOICES.join(', ')}`
  return `flite has no voice for ${language} (${name}): ${ENGLISH_ONLY}`
}
