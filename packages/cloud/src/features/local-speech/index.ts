export { localRecognizer } from './local-recognizer.ts'
export { RecognizerPool, type RecognizerState } from './recognizer-pool.ts'
