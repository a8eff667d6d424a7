export { createTranscripts } from './feature.ts'
