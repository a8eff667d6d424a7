import { type TProperties, Type } from 'typebox'

/** Schema of the answer to a phone's report: it was taken. */
export const takenWith = <const More extends TProperties>(more: More) =>
  Type.Object({ success: Type.Literal(true), ...more, timestamp: Type.String({ format: 'date-time' }) })

/** Schema of the answer to a report of which there is nothing more to say. */
export const taken = takenWith({})

/** Schema of the answer that says so in words. */
export const takenInWords = takenWith({ message: Type.String() })

/** What every answer to a report holds. */
export function takenAt(now: number): { success: true; timestamp: string } {
  return { success: true, timestamp: new Date(now).toISOString() }
}
