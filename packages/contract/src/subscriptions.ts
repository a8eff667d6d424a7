import { canonicalLanguage, matchesLanguage, regionalLanguage } from './languages.ts'
import type { PermissionType } from './permissions.ts'

// The grammar of subscriptions (app-socket.md §2.8). Frames are sent under the subscription string of the app, verbatim,
// because the app SDK dispatches on that string.

/** An entry of the subscription list that an app sends. */
export type SubscriptionEntry = string | { readonly stream: string; readonly rate?: string }

/** A parsed subscription. */
export interface Subscription {
  /** The string of the app, which is the `streamType` of every frame sent for this subscription. */
  readonly raw: string
  /** The subscribed stream without parameters: `transcription`, `touch_event`, `location_stream`, … */
  readonly stream: string
  /** Canonical tag of a transcription, or of the source of a translation; `auto` or `all` match every language. */
  readonly language?: string
  /** Canonical tag of the target of a translation, with a region. */
  readonly target?: string
  readonly gesture?: string
  /** Requested location tier. */
  readonly rate?: string
  /** Options after `?`, decoded. */
  readonly options?: Readonly<Record<string, string>>
}

/** Properties of an event that subscriptions match on, besides its stream. */
export interface StreamFacets {
  /** A language tag. */
  readonly language?: string
  /** The source of the speech (`speechSource`), if only its subscriptions match; then the language may be left out. */
  readonly source?: string
  readonly target?: string
  readonly gesture?: string
}

const DEFAULT_LANGUAGE = 'en-US'

/** Parses an entry of a subscription list. Never fails: an unknown form becomes a stream of that name. */
export function parseSubscription(entry: SubscriptionEntry): Subscription {
  if (typeof entry !== 'string') {
    const subscription = parseSubscription(entry.stream)
    return entry.rate === undefined ? subscription : { ...subscription, rate: entry.rate }
  }
  const [path = '', query] = splitOnce(entry, '?')
  const [stream = '', parameter] = splitOnce(path, ':')
  const options = query === undefined ? undefined : Object.fromEntries(new URLSearchParams(query))
  const base = options === undefined ? { raw: entry, stream } : { raw: entry, stream, options }
  switch (stream) {
    case 'transcription': {
      const language = readLanguage(parameter ?? DEFAULT_LANGUAGE, 'auto')
      return language === undefined ? { raw: entry, stream: entry } : { ...base, language }
    }
    case 'translation': {
      const [source = '', other = ''] = splitOnce(parameter ?? '', '-to-')
      const language = readLanguage(source, 'all')
      const target = regionalLanguage(other)
      return language !== undefined && target !== undefined
        ? { ...base, language, target }
        : // Without a pair it must not match the stream itself, which would select every pair.
          { raw: entry, stream: parameter === undefined ? 'translation:' : entry }
    }
    case 'touch_event':
      return parameter === undefined ? base : { ...base, gesture: parameter }
    default:
      return { raw: entry, stream: entry }
  }
}

/** Whether a subscription to the stream of an event also matches the facets of the event. */
export function matches(subscription: Subscription, facets: StreamFacets): boolean {
  const { language, target, gesture } = subscription
  if (language !== undefined && !selectsLanguage(language, facets)) return false
  if (target !== undefined && target !== facets.target) return false
  return gesture === undefined || gesture === facets.gesture
}

function selectsLanguage(language: string, facets: StreamFacets): boolean {
  const source = speechSource(language)
  if (facets.source !== undefined && source !== facets.source) return false
  if (source === 'auto') return true
  return facets.language === undefined
    ? facets.source !== undefined
    : matchesLanguage(language, facets.language)
}

/**
 * Returns what has to be recognized for a subscription: a language with a region, which subscriptions without one share, or
 * `auto` for all.
 * @param language of a subscription
 */
export function speechSource(language: string): string {
  return language === 'auto' || language === 'all' ? 'auto' : (regionalLanguage(language) ?? language)
}

const REQUIRED_PERMISSIONS: Readonly<Record<string, PermissionType>> = {
  audio_chunk: 'MICROPHONE',
  transcription: 'MICROPHONE',
  translation: 'MICROPHONE',
  wake_word: 'MICROPHONE',
  VAD: 'MICROPHONE',
  vad: 'MICROPHONE',
  location_update: 'LOCATION',
  location_stream: 'LOCATION',
  calendar_event: 'CALENDAR',
  photo_response: 'CAMERA',
  photo_taken: 'CAMERA',
  rtmp_stream_status: 'CAMERA',
  stream_status: 'CAMERA',
  managed_stream_status: 'CAMERA',
  phone_notification: 'READ_NOTIFICATIONS',
  phone_notification_dismissed: 'READ_NOTIFICATIONS',
}

/** Returns the permission that an app must declare to receive the stream; undefined if none is required. */
export function requiredPermission(subscription: Subscription): PermissionType | undefined {
  // A guarded stream with a malformed parameter requires the same permission.
  const [stream = ''] = subscription.stream.split(/[:?]/, 1)
  return Object.hasOwn(REQUIRED_PERMISSIONS, stream) ? REQUIRED_PERMISSIONS[stream] : undefined
}

/** Whether the stream requires the microphone. */
export function needsAudio(subscription: Subscription): boolean {
  const { stream } = subscription
  return stream === 'audio_chunk' || stream === 'wake_word' || needsSpeech(subscription)
}

/** Whether the stream requires speech recognition. */
export function needsSpeech(subscription: Subscription): boolean {
  return SPEECH_STREAMS.has(subscription.stream)
}
const SPEECH_STREAMS = new Set(['transcription', 'translation'])

function readLanguage(text: string, wildcard: string): string | undefined {
  return text === wildcard ? text : canonicalLanguage(text)
}

function splitOnce(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator)
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + separator.length)]
}
