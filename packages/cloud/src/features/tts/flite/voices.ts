import { ENGLISH_ONLY } from './english-text.ts'

export const DEFAULT_FLITE_VOICE = 'slt'

const VOICES: readonly string[] = ['awb', 'kal', 'kal16', 'rms', DEFAULT_FLITE_VOICE]

const LANGUAGE_TAG = /^([a-z]{2,3})([-_][a-z0-9]{1,8}){0,3}(\+[a-z0-9]+)?$/i

const FIRST_NAME = /^[A-Z][a-z]{2}$/

const languages = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })

/** Returns the voice of that name, or the usual voice for a language tag of English; undefined for other names. */
export function findFliteVoice(name: string): string | undefined {
  const voice = name.toLowerCase()
  if (VOICES.includes(voice)) return voice
  return languageOf(name) === 'English' ? DEFAULT_FLITE_VOICE : undefined
}

/** Whether a name is the tag of a language that Flite does not speak (TTS-72). */
export function isOtherLanguage(name: string): boolean {
  return findFliteVoice(name) === undefined && languageOf(name) !== undefined
}

/** Describes what is wrong with a name that `findFliteVoice` does not find. */
export function unknownVoiceMessage(name: string): string {
  const language = languageOf(name)
  if (language === undefined) return `${name} is not a voice of flite, which has ${VOICES.join(', ')}`
  return `flite has no voice for ${language} (${name}): ${ENGLISH_ONLY}`
}

/** The English name of the language of a language tag, such as `de` or `fr-FR`. */
function languageOf(name: string): string | undefined {
  // `Sam` is a voice of another provider, although `sam` is Samaritan Aramaic.
  if (FIRST_NAME.test(name)) return undefined
  const [, language] = LANGUAGE_TAG.exec(name) ?? []
  return language === undefined ? undefined : languages.of(language)
}
