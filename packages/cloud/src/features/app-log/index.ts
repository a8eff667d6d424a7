export { createAppLog } from './feature.ts'
