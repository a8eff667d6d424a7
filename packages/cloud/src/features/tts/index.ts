export { createTextToSpeech } from './create-text-to-speech.ts'
export { createTts } from './feature.ts'
