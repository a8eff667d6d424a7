import type { Message } from '@glasses-cloud/contract'

export interface SpeechOptions {
  /** BCP 47 tag; `en-US` by default. */
  readonly language?: string
  /** Send an interim result per word before the final one; `true` by default. */
  readonly interim?: boolean
  /** Milliseconds between two results; 0 by default. */
  readonly wordMs?: number
  /** Which phone recognizes: Android sends fewer fields than iOS. `ios` by default. */
  readonly phone?: 'ios' | 'android'
  readonly speakerId?: number
  /** In offline mode phones send results even if the cloud does not require them. */
  readonly offlineMode?: boolean
}

/** A result of the phone's speech recognizer. */
export interface RecognitionResult {
  readonly text: string
  readonly isFinal: boolean
}

/** The results of a recognizer for one sentence: one interim result per word, then the final one. */
export function recognitionResults(text: string, interim: boolean): RecognitionResult[] {
  const words = text.trim().split(/\s+/)
  const growing = interim
    ? words.map((_, index) => ({ text: words.slice(0, index + 1).join(' '), isFinal: false }))
    : []
  return [...growing, { text: text.trim(), isFinal: true }]
}

/**
 * The message a phone sends for a result.
 * @param times start of the sentence and time of this result, in epoch milliseconds
 */
export function localTranscription(
  { text, isFinal }: RecognitionResult,
  options: SpeechOptions,
  times: { readonly startTime: number; readonly endTime: number },
): Message {
  const language = options.language ?? 'en-US'
  if (options.phone === 'android') return { type: 'local_transcription', text, isFinal, language }
  return {
    type: 'local_transcription',
    text,
    isFinal,
    ...times,
    speakerId: options.speakerId ?? 0,
    transcribeLanguage: language,
    provider: 'sherpa-onnx',
  }
}
