import { randomBytes } from 'node:crypto'

/** Base-36 digits of the time in an id, sufficient until the year 5188. */
const TIME_DIGITS = 9

/** Creates an unguessable id that sorts by creation time. */
export function newPhotoId(now: number): string {
  return now.toString(36).padStart(TIME_DIGITS, '0') + randomBytes(12).toString('hex')
}

/** Returns the creation time of an id, in epoch ms. */
export function photoIdTime(id: string): number {
  return Number.parseInt(id.slice(0, TIME_DIGITS), 36)
}
