import type { Message } from '@glasses-cloud/contract'

/** How a sentence is spoken. */
export interface SpeechOptions {
  /** BCP 47 tag; `en-US` by default. */
  readonly language?: string
  /** Send the growing sentence before the final one, word by word. On by default. */
  readonly interim?: boolean
  /** Milliseconds between two words; 0 by default. Phones send at most 50 messages a second. */
  readonly wordMs?: number
  /** Which phone listens: Android tells far less than iOS. `ios` by default. */
  readonly phone?: 'ios' | 'android'
  readonly speakerId?: number
}

/** One result of the phone's own speech recognition. */
export interface RecognitionResult {
  readonly text: string
  readonly isFinal: boolean
}

/** What a recogniser says while a sentence is spoken: each word added to those before, then the whole as final. */
export function recognitionResults(text: string, interim: boolean): RecognitionResult[] {
  const words = text.trim().split(/\s+/)
  const growing = interim
    ? words.map((_, at) => ({ text: words.slice(0, at + 1).join(' '), isFinal: false }))
    : []
  return [...growing, { text: text.trim(), isFinal: true }]
}

/**
 * The message a phone sends for one result.
 * @param spoken when the sentence began and when this result was made, epoch milliseconds
 */
export function localTranscription(
  { text, isFinal }: RecognitionResult,
  options: SpeechOptions,
  spoken: { readonly startTime: number; readonly endTime: number },
): Message {
  const language = options.language ?? 'en-US'
  if (options.phone === 'android') return { type: 'local_transcription', text, isFinal, language }
  return {
    type: 'local_transcription',
    text,
    isFinal,
    ...spoken,
    speakerId: options.speakerId ?? 0,
    transcribeLanguage: language,
    provider: 'sherpa-onnx',
  }
}
