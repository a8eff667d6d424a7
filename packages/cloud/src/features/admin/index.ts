export { createAdmin } from './feature.ts'
