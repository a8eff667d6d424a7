import { randomBytes } from 'node:crypto'

/** Letters of the time in an id: enough until the year 5188. */
const TIME_LETTERS = 9

/** An id that nobody guesses, and that sorts after those made earlier. */
export function newPhotoId(now: number): string {
  return now.toString(36).padStart(TIME_LETTERS, '0') + randomBytes(12).toString('hex')
}

/** When an id was made, epoch ms. */
export function photoIdTime(id: string): number {
  return Number.parseInt(id.slice(0, TIME_LETTERS), 36)
}
