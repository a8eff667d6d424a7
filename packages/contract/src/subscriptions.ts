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
  /** Language of a transcription, source language of a translation; `auto` or `all` match every language. */
  readonly language?: string
  /** Target language of a translation. */
  readonly target?: string
  readonly gesture?: string
  /** Requested location tier. */
  readonly rate?: string
  /** Options after `?`, decoded. */
  readonly options?: Readonly<Record<string, string>>
}

/** Properties of an event that subscriptions match on, besides its stream. */
export interface StreamFacets {
  readonly language?: string
  readonly target?: string
  readonly gesture?: string
  /** Whether only subscriptions to exactly this language match, which may then be `auto` or `all`. */
  readonly isExactLanguage?: boolean
}

const LANGUAGE_PATTERN = /^[a-z]{2,3}-[A-Z]{2}$/
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
      const language = parameter ?? DEFAULT_LANGUAGE
      return isLanguage(language, 'auto') ? { ...base, language } : { raw: entry, stream: entry }
    }
    case 'translation': {
      const [language = '', target = ''] = splitOnce(parameter ?? '', '-to-')
      return isLanguage(language, 'all') && isLanguage(target)
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
  const isAnyLanguage = (language === 'auto' || language === 'all') && facets.isExactLanguage !== true
  if (language !== undefined && !isAnyLanguage && language !== facets.language) return false
  if (target !== undefined && target !== facets.target) return false
  return gesture === undefined || gesture === facets.gesture
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

function isLanguage(text: string, wildcard?: string): boolean {
  return LANGUAGE_PATTERN.test(text) || (wildcard !== undefined && text === wildcard)
}

function splitOnce(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator)
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + separator.length)]
}
