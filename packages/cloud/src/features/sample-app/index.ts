export { createSampleApp } from './feature.ts'
