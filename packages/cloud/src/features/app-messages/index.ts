export { createAppMessages } from './feature.ts'
