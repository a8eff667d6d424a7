export { createSpeechEncoder, type Samples } from './speech-encoder.ts'
