import type { Gesture } from '../adapter/glasses-adapter.ts'
import type { EvenHubEvent } from './bridge.ts'

/** What an event of the glasses means. */
export type GlassesEvent =
  | { readonly kind: 'audio'; readonly pcm: Uint8Array }
  | { readonly kind: 'gesture'; readonly gesture: Gesture }
  /** The page got the lens. */
  | { readonly kind: 'entered' }
  /** Something else got the lens; `isClosed` says that the page is gone. */
  | { readonly kind: 'left'; readonly isClosed: boolean }

/** Types of events in the maker's SDK, and 9, which the SDK 0.0.12 passes on in its raw form only. */
const GESTURES: Readonly<Record<number, Gesture['name']>> = {
  0: 'single_tap',
  1: 'up_swipe',
  2: 'down_swipe',
  3: 'double_tap',
  9: 'long_press',
}
const ENTERED = 4
const LEFT = 5
const EXITS = [6, 7]

const SIDES: Readonly<Record<number, 'left' | 'right'>> = { 1: 'right', 3: 'left' }

/** Reads an event; undefined if it has no meaning here. */
export function readEvent(event: EvenHubEvent): GlassesEvent | undefined {
  if (event.audioEvent) {
    const pcm = event.audioEvent.audioPcm
    return { kind: 'audio', pcm: pcm.subarray(0, pcm.length & ~1) }
  }
  const touch = event.sysEvent ?? event.textEvent
  if (!touch) return undefined
  // A click has type 0, which protobuf leaves out.
  const type = touch.eventType ?? Number(event.jsonData?.eventType ?? event.jsonData?.Event_Type ?? 0)
  if (type === ENTERED) return { kind: 'entered' }
  if (type === LEFT || EXITS.includes(type)) return { kind: 'left', isClosed: type !== LEFT }
  const name = GESTURES[type]
  const side = SIDES[touch.eventSource ?? 0]
  return name && { kind: 'gesture', gesture: { name, ...(side && { side }) } }
}
