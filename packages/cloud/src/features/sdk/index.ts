export { createSdk } from './feature.ts'
