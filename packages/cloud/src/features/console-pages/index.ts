export { createConsolePages } from './feature.ts'
