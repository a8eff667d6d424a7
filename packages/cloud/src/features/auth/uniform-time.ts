import { setTimeout as delay } from 'node:timers/promises'

const UNIFORM_TIME_MS = 250

/**
 * Starts the time that a response must at least take which must not reveal whether an account exists: longer than the
 * writes that only one of its cases has. Start it after work that all cases have, such as hashing a password.
 */
export function uniformTime(): Promise<void> {
  return delay(UNIFORM_TIME_MS)
}
