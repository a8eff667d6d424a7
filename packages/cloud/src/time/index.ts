export { type Clock, systemClock, type Timer, toIsoString } from './clock.ts'
