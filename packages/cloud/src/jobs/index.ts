export { Repeated } from './repeated.ts'
