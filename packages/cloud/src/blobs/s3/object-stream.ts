import { Readable } from 'node:stream'
import type { S3Client, S3Response } from './s3-client.ts'

/** Times that an interrupted download is resumed without receiving a byte in between. */
const MAX_RESUMES = 3

/** The part of an object that a response delivers. */
export interface ObjectPart {
  readonly key: string
  readonly etag: string
  /** First and last byte, both inclusive. */
  readonly start: number
  readonly end: number
}

/**
 * Streams the body of a response. If the connection is lost, the rest is requested again, from the same version of the
 * object; the stream fails if that version no longer exists. Destroying the stream closes the connection.
 */
export function streamObject(client: S3Client, part: ObjectPart, response: S3Response): Readable {
  const closed = new AbortController()
  let body = response.body
  // A body that is destroyed early reports that as an error.
  body.on('error', () => {})
  const chunks = async function* (): AsyncGenerator<Uint8Array> {
    let position = part.start
    for (let failures = 0; position <= part.end; ) {
      try {
        for await (const chunk of body) {
          position += chunk.byteLength
          failures = 0
          yield chunk
        }
        if (position > part.end) return
        throw new Error('the response is incomplete')
      } catch (cause) {
        closed.signal.throwIfAborted()
        failures += 1
        if (failures > MAX_RESUMES) throw client.unreachable(cause)
        await client.pause(failures, closed.signal)
        body = await resume(client, part, position, closed.signal)
        body.on('error', () => {})
      }
    }
  }
  const stream = Readable.from(chunks(), { objectMode: false })
  stream.once('close', () => {
    closed.abort(new Error('the stream was closed'))
    body.destroy()
  })
  return stream
}

async function resume(client: S3Client, { key, etag, end }: ObjectPart, start: number, signal: AbortSignal) {
  const headers = { range: `bytes=${start}-${end}`, 'if-match': etag }
  return (await client.send({ method: 'GET', key, headers, signal })).body
}
