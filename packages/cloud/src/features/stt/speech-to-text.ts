import { cutText } from '@glasses-cloud/contract'
import type { SpeechProvider } from '../../session/index.ts'

/**
 * An adapter for a speech-to-text service. Every adapter passes `speechToTextSuite`. Whether the service rejects the key
 * is recorded for all sessions together, by `SpeechGateway`.
 */
export type SpeechToText = Omit<SpeechProvider, 'rejectedForMs'>

/** Bytes that wait for a service that does not read, above which the stream fails. */
export const MAX_WAITING_BYTES = 2 * 1024 * 1024

/** Characters of one segment; a longer one is cut. */
const MAX_TEXT_CHARACTERS = 10_000

/** Length of PCM in milliseconds. */
export function msOfBytes(bytes: number): number {
  return bytes / 32
}

/** Returns a value of a provider's message as text of bounded length; empty if it is no text. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? cutText(value.trim(), MAX_TEXT_CHARACTERS) : ''
}
