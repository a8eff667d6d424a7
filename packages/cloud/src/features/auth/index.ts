export { createAuth } from './feature.ts'
