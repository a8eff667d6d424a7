export { createAdministration } from './feature.ts'
