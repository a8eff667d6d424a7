import { getSpeech } from './get-speech.ts'

export { createTextToSpeech } from './create-text-to-speech.ts'
export { openSpeaker } from './open-speaker.ts'
export type { Speaker } from './speaker.ts'

/** Endpoints of text-to-speech. */
export const speechEndpoints = [getSpeech]
