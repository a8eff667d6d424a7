export { localRecognizer } from './local-recognizer.ts'
export { RecognizerPool, type RecognizerState } from './recognizer-pool.ts'
export { SpotterPool } from './spotter-pool.ts'
