export { localRecognizer } from './local-recognizer.ts'
export { fingerprintOf } from './model-fingerprint.ts'
export { RecognizerPool, type RecognizerState } from './recognizer-pool.ts'
export { VoicePool } from './voice-pool.ts'
