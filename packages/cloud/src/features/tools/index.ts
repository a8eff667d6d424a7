export { createTools } from './feature.ts'
