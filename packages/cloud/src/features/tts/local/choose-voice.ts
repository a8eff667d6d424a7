import { findLanguage } from '@glasses-cloud/contract'
import { fingerprintOf } from '../../local-speech/index.ts'
import { catalogueModels, type SpeechModel, sizeOf } from '../../speech-models/index.ts'
import {
  DEFAULT_FLITE_VOICE,
  isFliteVoice,
  languageOfTag,
  type TaggedLanguage,
  unknownVoiceMessage,
} from '../flite/flite.ts'
import { UnsupportedSpeechError } from '../text-to-speech.ts'

/** A voice of this cloud: an installed model, or one of the voices of Flite. */
export type ChosenVoice =
  | {
      readonly kind: 'installed'
      readonly model: SpeechModel
      /** Number of the speaker, from 0. */
      readonly speaker: number
      /** Code of the language that was asked for; undefined if a voice was asked for by its name. */
      readonly language: string | undefined
    }
  | { readonly kind: 'flite'; readonly voice: string }

/** The id of a model, and optionally a speaker: `piper-de-thorsten`, `kokoro:3`. */
const INSTALLED_VOICE = /^([a-z0-9][a-z0-9.-]{0,63})(?::(\d{1,4}))?$/

/** The voice of requests that name none, unless `TTS_VOICE` names another one. */
export const DEFAULT_LANGUAGE = 'en'

/**
 * Chooses the voice for a name: the id of an installed voice, a voice of Flite, or a language tag. Any other name is that of
 * another provider's voice, and stands for the default.
 * @param defaultVoice `TTS_VOICE`
 * @throws UnsupportedSpeechError if no voice speaks the language, or the voice is not installed
 */
export function chooseVoice(
  name: string,
  models: readonly SpeechModel[],
  defaultVoice: string = DEFAULT_LANGUAGE,
): ChosenVoice {
  const voices = models.filter(({ kind }) => kind === 'voice')
  const chosen = findNamed(name, voices) ?? findSpeaking(name, voices, defaultVoice)
  if (chosen) return chosen
  const language = languageOfTag(name)
  if (language) throw new UnsupportedSpeechError(noVoiceMessage(name, language))
  if (name === defaultVoice || isKnownVoice(name))
    throw new UnsupportedSpeechError(`The voice ${name} is not installed: ${howToInstall(idOf(name))}`)
  return chooseVoice(defaultVoice, models, defaultVoice)
}

/** Describes why a `TTS_VOICE` can never be a voice of this cloud; undefined if it can. */
export function defaultVoiceProblem(name: string): string | undefined {
  if (isFliteVoice(name) || languageOfTag(name) || INSTALLED_VOICE.test(name)) return undefined
  return `${unknownVoiceMessage(name)}, and not the id of a voice that can be installed`
}

/** Identifies what a voice speaks like; changes with the files of its model. */
export function voiceKey(voice: ChosenVoice): string {
  if (voice.kind === 'flite') return voice.voice
  const { model, speaker, language = '' } = voice
  return `${model.id}:${speaker}#${fingerprintOf(model)}${model.languages.length > 1 ? language : ''}`
}

/** What to do about a voice that is missing. @param id of a voice of the catalogue, if there is one */
export function howToInstall(id = 'ID'): string {
  return `install it in the console under Administration or with "models add ${id}", or set TTS_PROVIDER to espeak, elevenlabs or openai`
}

function findNamed(name: string, voices: readonly SpeechModel[]): ChosenVoice | undefined {
  if (isFliteVoice(name)) return { kind: 'flite', voice: name.toLowerCase() }
  const [, id, speaker = '0'] = INSTALLED_VOICE.exec(name) ?? []
  const model = voices.find((voice) => voice.id === id)
  return model && { kind: 'installed', model, speaker: Number(speaker), language: undefined }
}

/** The voice for a language tag. */
function findSpeaking(
  tag: string,
  voices: readonly SpeechModel[],
  defaultVoice: string,
): ChosenVoice | undefined {
  const language = languageOfTag(tag)
  if (!language) return undefined
  const { code } = language
  const spokenBy = ({ languages }: Pick<SpeechModel, 'languages'>) => findLanguage(code, languages)
  const preferred = findNamed(defaultVoice, voices)
  if (preferred?.kind === 'installed' && spokenBy(preferred.model))
    return { ...preferred, language: spokenBy(preferred.model) }
  const [model] = voices.filter(spokenBy).sort(compareVoices)
  if (model) return { kind: 'installed', model, speaker: 0, language: spokenBy(model) }
  return code === 'en' ? { kind: 'flite', voice: DEFAULT_FLITE_VOICE } : undefined
}

/** Voices of fewer languages come first, then larger ones. */
function compareVoices(a: SpeechModel, b: SpeechModel): number {
  return (
    a.languages.length - b.languages.length || (sizeOf(b) ?? 0) - (sizeOf(a) ?? 0) || (a.id < b.id ? -1 : 1)
  )
}

function noVoiceMessage(tag: string, { code, name }: TaggedLanguage): string {
  const known = catalogueModels().find(
    ({ kind, languages }) => kind === 'voice' && findLanguage(code, languages),
  )
  return `No voice for ${name} (${tag}) is installed: ${howToInstall(known?.id)}`
}

function isKnownVoice(name: string): boolean {
  return catalogueModels().some(({ id, kind }) => kind === 'voice' && id === idOf(name))
}

function idOf(name: string): string {
  return name.split(':')[0] ?? name
}
