import { ENGLISH_ONLY } from './english-text.ts'

/** A language that a tag names. */
export interface TaggedLanguage {
  /** Code without region: `de` of `de-AT` and of `deu`. */
  readonly code: string
  /** English name. */
  readonly name: string
}

const LANGUAGE_TAG = /^([a-z]{2,3})([-_][a-z0-9]{1,8}){0,3}(\+[a-z0-9]+)?$/i

const FIRST_NAME = /^[A-Z][a-z]{2}$/

const languages = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })

/** Returns the language of a language tag, such as `de` or `fr-FR`; undefined for other names of voices. */
export function languageOfTag(name: string): TaggedLanguage | undefined {
  // `Sam` is a voice of another provider, although `sam` is Samaritan Aramaic.
  if (FIRST_NAME.test(name)) return undefined
  const [, tag] = LANGUAGE_TAG.exec(name) ?? []
  const language = tag === undefined ? undefined : languages.of(tag)
  if (tag === undefined || language === undefined) return undefined
  const [code = tag] = Intl.getCanonicalLocales(tag)
  return { code, name: language }
}

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
