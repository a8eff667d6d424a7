import { type TProperties, Type } from 'typebox'

/** Acknowledgement of a report, with further fields. */
export const ackSchemaWith = <const More extends TProperties>(more: More) =>
  Type.Object({ success: Type.Literal(true), ...more, timestamp: Type.String({ format: 'date-time' }) })

export const ackSchema = ackSchemaWith({})

export const messageAckSchema = ackSchemaWith({ message: Type.String() })

/** Returns the fields of every acknowledgement. */
export function ack(now: number): { success: true; timestamp: string } {
  return { success: true, timestamp: new Date(now).toISOString() }
}
