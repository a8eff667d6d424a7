/** Speech that an app requests of the cloud. */
export interface RequestedSpeech {
  readonly text: string
  /** Language tag, if the voice is named after one, as those of local synthesizers are. */
  readonly language: string | undefined
}

const SPEECH_URL = /^https?:\/\/[^?#]+\/api\/tts\?([^#]+)/i

const LANGUAGE = /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i

/** As many characters as the cloud speaks. */
const MAX_CHARACTERS = 5_000

/** Returns the speech at an address of a sound; undefined if it is another sound. */
export function requestedSpeech(url: string): RequestedSpeech | undefined {
  const query = SPEECH_URL.exec(url)?.[1]
  if (query === undefined) return undefined
  const text = parameter(query, 'text')?.trim().slice(0, MAX_CHARACTERS)
  const voice = parameter(query, 'voice_id') ?? ''
  return text ? { text, language: LANGUAGE.test(voice) ? voice : undefined } : undefined
}

/** Bare JavaScript engines have no `URLSearchParams`. */
function parameter(query: string, name: string): string | undefined {
  const pair = query.split('&').find((part) => part.startsWith(`${name}=`))
  try {
    return pair && decodeURIComponent(pair.slice(name.length + 1).replaceAll('+', ' '))
  } catch {
    return undefined
  }
}
