export { createLiveSession } from './feature.ts'
