import type { PermissionType } from './permissions.ts'

/**
 * The grammar of subscriptions (app socket protocol, 2.8). An app names the streams it wants; a frame of a stream
 * goes out under the app's own string, letter for letter, because that is all the app SDK delivers by.
 */

/** One entry of an app's subscription list as it arrives. */
export type SubscriptionEntry = string | { readonly stream: string; readonly rate?: string }

/** A subscription, understood. */
export interface Subscription {
  /** The app's own string: the `streamType` of every frame sent for it. */
  readonly raw: string
  /** The stream it selects, without parameters: `transcription`, `touch_event`, `location_stream`, … */
  readonly stream: string
  /** Language of a transcription, source language of a translation; `auto` or `all` match every language. */
  readonly language?: string
  /** Target language of a translation. */
  readonly target?: string
  readonly gesture?: string
  /** Location tier asked for. */
  readonly rate?: string
  /** Options after `?`, decoded. */
  readonly options?: Readonly<Record<string, string>>
}

/** What an event offers for matching, beside its stream. */
export interface StreamFacets {
  readonly language?: string
  readonly target?: string
  readonly gesture?: string
}

const LANGUAGE_PATTERN = /^[a-z]{2,3}-[A-Z]{2}$/
const DEFAULT_LANGUAGE = 'en-US'

/**
 * Understands one entry of a subscription list. Never fails: what follows no known form is a stream of that very
 * name, which nothing may ever feed, and which does no harm.
 */
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
        : // Without a pair it must not pass for the stream itself, which would be every pair.
          { raw: entry, stream: parameter === undefined ? 'translation:' : entry }
    }
    case 'touch_event':
      return parameter === undefined ? base : { ...base, gesture: parameter }
    default:
      return { raw: entry, stream: entry }
  }
}

/** Whether a frame with these facets belongs to the subscription; the stream itself was matched already. */
export function matches(subscription: Subscription, facets: StreamFacets): boolean {
  const { language, target, gesture } = subscription
  if (language !== undefined && language !== 'auto' && language !== 'all' && language !== facets.language)
    return false
  if (target !== undefined && target !== facets.target) return false
  return gesture === undefined || gesture === facets.gesture
}

const REQUIRED_PERMISSIONS: Readonly<Record<string, PermissionType>> = {
  audio_chunk: 'MICROPHONE',
  transcription: 'MICROPHONE',
  translation: 'MICROPHONE',
  VAD: 'MICROPHONE',
  vad: 'MICROPHONE',
  location_update: 'LOCATION',
  location_stream: 'LOCATION',
  calendar_event: 'CALENDAR',
  photo_response: 'CAMERA',
  photo_taken: 'CAMERA',
  rtmp_stream_status: 'CAMERA',
  managed_stream_status: 'CAMERA',
  phone_notification: 'READ_NOTIFICATIONS',
  phone_notification_dismissed: 'READ_NOTIFICATIONS',
}

/** The permission an app must have declared to receive the stream; undefined where none is needed. */
export function requiredPermission(subscription: Subscription): PermissionType | undefined {
  // What starts like a guarded stream but has a malformed parameter is guarded like it.
  const [stream = ''] = subscription.stream.split(/[:?]/, 1)
  return Object.hasOwn(REQUIRED_PERMISSIONS, stream) ? REQUIRED_PERMISSIONS[stream] : undefined
}

/** Whether the stream is made from sound, so that the microphone must be on. */
export function needsAudio(subscription: Subscription): boolean {
  return AUDIO_STREAMS.has(subscription.stream)
}
const AUDIO_STREAMS = new Set(['audio_chunk', 'transcription', 'translation'])

function isLanguage(text: string, wildcard?: string): boolean {
  return LANGUAGE_PATTERN.test(text) || (wildcard !== undefined && text === wildcard)
}

function splitOnce(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator)
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + separator.length)]
}
