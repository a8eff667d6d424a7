export { type Clock, pause, systemClock, type Timer, toIsoString } from './clock.ts'
