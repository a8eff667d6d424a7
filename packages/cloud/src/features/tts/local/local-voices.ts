import type { VoicePool } from '../../local-speech/index.ts'
import type { SpeechModel } from '../../speech-models/index.ts'
import { passagesOf } from '../passages.ts'
import {
  type FoundVoice,
  SpeechProviderError,
  type SpeechRequest,
  type TextToSpeech,
  UnsupportedSpeechError,
} from '../text-to-speech.ts'
import { type ChosenVoice, chooseVoice, DEFAULT_LANGUAGE, howToInstall, voiceKey } from './choose-voice.ts'

export interface LocalVoicesOptions {
  readonly pool: Voices
  /** Speaks English while no other voice does. */
  readonly flite: TextToSpeech
  /** `TTS_VOICE`. */
  readonly voice: string | undefined
}

/** The part of the pool that is used. */
type Voices = Pick<VoicePool, 'models' | 'open' | 'speak'>

type InstalledVoice = Extract<ChosenVoice, { kind: 'installed' }>

/**
 * Synthesizes on this machine with the installed voices (ADR 59), and English with Flite while no installed voice speaks it.
 * Texts are spoken passage by passage and take turns; a text has at most one passage in the queue of its voice. Applies
 * the setting `speed`.
 */
export function localVoices({ pool, flite, voice: defaultVoice }: LocalVoicesOptions): TextToSpeech {
  const choose = (name: string) => chooseVoice(name, pool.models.list(), defaultVoice)
  const findVoice = (name: string): FoundVoice => {
    const voice = choose(name)
    return {
      key: voiceKey(voice),
      synthesize: (request, signal) =>
        voice.kind === 'flite'
          ? speakEnglish(flite, { ...request, voice: voice.voice }, signal)
          : speak(pool, voice, request, signal),
    }
  }
  return {
    name: 'local',
    voice: defaultVoice ?? DEFAULT_LANGUAGE,
    model: undefined,
    findVoice,
    synthesize: async (request, signal) => findVoice(request.voice).synthesize(request, signal),
    async problem() {
      try {
        const voice = choose(defaultVoice ?? DEFAULT_LANGUAGE)
        if (voice.kind === 'flite') return flite.problem()
        await requireSpeaker(pool, voice)
        return undefined
      } catch (error) {
        return `${messageOf(error)}; set TTS_VOICE to another voice, or remove this one`
      }
    },
  }
}

/** Flite rejects letters of other scripts; here, other voices can be installed for them. */
function speakEnglish(
  flite: TextToSpeech,
  request: SpeechRequest,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  return flite.synthesize(request, signal).catch((error: unknown) => {
    if (!(error instanceof UnsupportedSpeechError)) throw error
    throw new UnsupportedSpeechError(
      `The text contains letters that the English voice cannot pronounce. If voice_id does not name another language, do so. If no voice for it is installed, ${howToInstall()}`,
    )
  })
}

async function speak(
  pool: Voices,
  voice: InstalledVoice,
  { text, settings: { speed = 1 } }: SpeechRequest,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  const { model, speaker, language } = voice
  if (speaker > 0) await requireSpeaker(pool, voice)
  const passages = passagesOf(plainText(text), language ?? mainLanguage(model))
  return audioOf()

  async function* audioOf(): AsyncGenerator<Uint8Array> {
    for (const passage of passages) {
      const job = { text: passage.trim(), speaker, speed, language: spokenLanguage(voice) }
      yield await pool.speak(model, job, signal).catch((cause) => {
        signal.throwIfAborted()
        throw providerError(cause)
      })
    }
  }
}

/** Loads a voice. @throws UnsupportedSpeechError if it has no speaker of that number */
async function requireSpeaker(pool: Voices, { model, speaker }: InstalledVoice): Promise<void> {
  const { speakers } = await pool.open(model).catch((cause) => {
    throw providerError(cause)
  })
  if (speaker < speakers) return
  const has = speakers === 1 ? 'has one speaker, 0' : `has the speakers 0 to ${speakers - 1}`
  throw new UnsupportedSpeechError(`The voice ${model.id} ${has}`)
}

/** The first language of a voice needs no mention: it has its own name for it, such as `en-us`. */
function spokenLanguage({ model, language }: InstalledVoice): string | undefined {
  return language === mainLanguage(model) ? undefined : language
}

function mainLanguage({ languages }: SpeechModel): string {
  return languages[0] ?? DEFAULT_LANGUAGE
}

/** A text without what is not spoken: emoji, control characters, halves of characters, and more than one space. */
function plainText(text: string): string {
  return text
    .toWellFormed()
    .replace(/(?![©®™])\p{Extended_Pictographic}[\u200d\ufe0f\u{1f3fb}-\u{1f3ff}]*/gu, ' ')
    .replace(/[\p{Cc}\p{Cn}\p{Co}\ufffd\s]+/gu, ' ')
    .trim()
}

function providerError(cause: unknown): SpeechProviderError {
  return new SpeechProviderError(`local failed: ${messageOf(cause)}`, { cause })
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
