import { cloudToApp, cloudToGlasses, type OutgoingDialect } from '@glasses-cloud/contract'
import type { TSchema } from 'typebox'
import { expect, expectMatch, isRecord } from '../expect.ts'
import type { Frame, Socket } from '../socket.ts'

type Direction = 'glasses' | 'app'

const catalogues: Readonly<Record<Direction, Readonly<Record<string, TSchema>>>> = {
  glasses: cloudToGlasses,
  app: cloudToApp,
}

/** Expects a message of the contract in a dialect; returns its fields. */
export function expectMessage(to: Direction, frame: Frame, dialect: OutgoingDialect): Frame {
  const type = String(frame.type)
  const schema = catalogues[to][type]
  expect(schema !== undefined, `${type} is not a message of the protocol`)
  if (dialect !== 'flat')
    expect(isRecord(frame.data), `${type}: not in the envelope dialect, which has its fields in data`)
  if (dialect === 'envelope') {
    const beside = Object.keys(frame).filter(
      (field) => !['type', 'data', 'timestamp', 'sessionId'].includes(field),
    )
    expect(beside.length === 0, `${type}: has ${beside.join(', ')} beside data in the envelope dialect`)
  }
  const flat = dialect === 'envelope' ? frame : expectMatch(schema, frame, type)
  if (dialect === 'flat') return flat as Frame
  const fields = { ...(frame.data as Frame), type }
  return expectMatch(schema, fields, `data of ${type}`) as Frame
}

/** Waits for the next `data_stream` frame of a stream, or of a stream and its options, such as `transcription:en-US`. */
export async function nextStreamFrame(socket: Socket, streamType: string): Promise<Frame> {
  for (;;) {
    const frame = await socket.next('data_stream')
    if (frame.streamType === streamType || String(frame.streamType).startsWith(`${streamType}:`))
      return expectMessage('app', frame, 'flat')
  }
}
