export { createSpeechProviders } from './create-providers.ts'
export { createStt } from './feature.ts'
export { missingPocketsphinx, startPocketsphinxServer } from './pocketsphinx-server.ts'
export type { SpeechToText } from './speech-to-text.ts'
