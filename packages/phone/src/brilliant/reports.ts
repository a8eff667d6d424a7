import type { Gesture } from '../adapter/glasses-adapter.ts'
import { DATA, REPORT } from './messages.ts'

/** Frames of 16 kHz and 10 ms at 16 kbit/s (Brilliant docs, `frame.microphone.start`: `bitrate`). */
const LC3_FRAME_BYTES = 20

/** What a notification says. `text` is the console's: a program has ended, or printed something. */
export type Report =
  | { readonly kind: 'audio'; readonly number: number; readonly data: Uint8Array }
  | { readonly kind: 'battery'; readonly percent: number; readonly isCharging: boolean }
  | { readonly kind: 'gesture'; readonly name: Gesture['name'] }
  | { readonly kind: 'tap' }
  | { readonly kind: 'text' }

/** The clicks of Halo's button (Brilliant docs, `frame.button`). */
const CLICKS: ReadonlyMap<number, Gesture['name']> = new Map<number, Gesture['name']>([
  [1, 'single_tap'],
  [2, 'double_tap'],
  [3, 'long_press'],
])

/** Parses a notification; undefined for acknowledgements and invalid bytes. */
export function parseReport(bytes: Uint8Array, format: 'pcm' | 'lc3'): Report | undefined {
  const [marker, code, first = 0, second] = bytes
  if (marker !== DATA) return { kind: 'text' }
  switch (code) {
    case REPORT.audio: {
      const data = bytes.slice(3)
      const unit = format === 'lc3' ? LC3_FRAME_BYTES : 2
      const isValid = data.length > 0 && data.length % unit === 0
      return isValid ? { kind: 'audio', number: first, data } : undefined
    }
    case REPORT.battery: {
      const isValid = bytes.length === 4 && first <= 100
      return isValid ? { kind: 'battery', percent: first, isCharging: second === 1 } : undefined
    }
    case REPORT.gesture: {
      if (bytes.length !== 3) return undefined
      if (first === 0) return { kind: 'tap' }
      const name = CLICKS.get(first)
      return name && { kind: 'gesture', name }
    }
    default:
      return undefined
  }
}
