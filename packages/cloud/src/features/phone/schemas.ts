import { type TProperties, Type } from 'typebox'

/** Schema of the answer to a phone's report: it was taken. */
export const ackSchemaWith = <const More extends TProperties>(more: More) =>
  Type.Object({ success: Type.Literal(true), ...more, timestamp: Type.String({ format: 'date-time' }) })

/** Schema of the answer to a report of which there is nothing more to say. */
export const ackSchema = ackSchemaWith({})

/** Schema of the answer that says so in words. */
export const messageAckSchema = ackSchemaWith({ message: Type.String() })

/** What every answer to a report holds. */
export function ack(now: number): { success: true; timestamp: string } {
  return { success: true, timestamp: new Date(now).toISOString() }
}
