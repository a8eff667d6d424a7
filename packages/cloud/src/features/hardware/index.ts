export { createHardware } from './feature.ts'
