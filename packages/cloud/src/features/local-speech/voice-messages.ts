/** A part of a text, for a voice. */
export interface VoicePassage {
  readonly text: string
  /** Number of the speaker, from 0. */
  readonly speaker: number
  /** 1 is the normal speed of the voice. */
  readonly speed: number
  /** Language of a voice that speaks several; undefined: its first one. */
  readonly language: string | undefined
}

/** What the cloud sends to a voice process once its model is loaded: one passage at a time. */
export type ToVoice = { readonly type: 'speak'; readonly passage: VoicePassage }

/** What a voice process sends. */
export type FromVoice =
  | { readonly type: 'loaded'; readonly speakers: number }
  /** The answer to `speak`: MP3 that is complete in itself. */
  | { readonly type: 'spoken'; readonly mp3: Uint8Array }
