import type { Gesture } from '../adapter/glasses-adapter.ts'

/** Bytes of an LC3 frame of the microphone (EvenDemoApp, `liblc3.cpp`). */
export const LC3_FRAME_BYTES = 20

/** What the glasses report by themselves. */
export type Notification =
  | { readonly kind: 'audio'; readonly sequence: number; readonly frames: Uint8Array }
  | { readonly kind: 'battery'; readonly percent: number }
  | { readonly kind: 'firmware'; readonly text: string }
  | { readonly kind: 'gesture'; readonly name: Gesture['name'] }
  | { readonly kind: 'head'; readonly position: 'up' | 'down' }
  | { readonly kind: 'worn'; readonly isWorn: boolean }

/** The events `F5 <code>` (EvenDemoApp README; MentraOS, iOS `Enums.swift`). Others are ignored. */
const EVENTS: ReadonlyMap<number, Notification> = new Map<number, Notification>([
  [0x00, { kind: 'gesture', name: 'double_tap' }],
  [0x01, { kind: 'gesture', name: 'single_tap' }],
  [0x02, { kind: 'head', position: 'up' }],
  [0x03, { kind: 'head', position: 'down' }],
  [0x04, { kind: 'gesture', name: 'triple_tap' }],
  [0x05, { kind: 'gesture', name: 'triple_tap' }],
  // Taken out of the case, or worn: sources differ, and both mean that the glasses are in use.
  [0x06, { kind: 'worn', isWorn: true }],
  [0x07, { kind: 'worn', isWorn: false }],
  [0x08, { kind: 'worn', isWorn: false }],
  [0x0b, { kind: 'worn', isWorn: false }],
  [0x17, { kind: 'gesture', name: 'long_press' }],
  [0x1e, { kind: 'head', position: 'up' }],
  [0x20, { kind: 'gesture', name: 'double_tap' }],
])

/** Parses a notification; undefined for answers to commands, unknown events and invalid bytes. */
export function parseNotification(bytes: Uint8Array): Notification | undefined {
  const [code, second = 0, third = 0] = bytes
  switch (code) {
    case 0xf1: {
      const frames = bytes.slice(2)
      const isValid = frames.length > 0 && frames.length % LC3_FRAME_BYTES === 0
      return isValid ? { kind: 'audio', sequence: second, frames } : undefined
    }
    case 0xf5:
      return bytes.length > 1 ? EVENTS.get(second) : undefined
    case 0x2c:
      return second === 0x66 && bytes.length > 2 && third <= 100
        ? { kind: 'battery', percent: third }
        : undefined
    // The text `net build time: …`.
    case 0x6e: {
      const text = new TextDecoder().decode(bytes)
      return /^net build time: [\x20-\x7e]{1,200}$/.test(text) ? { kind: 'firmware', text } : undefined
    }
    default:
      return undefined
  }
}
