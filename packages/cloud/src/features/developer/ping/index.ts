export { Pings } from './ping.ts'
