export { createRecentAudio } from './feature.ts'
