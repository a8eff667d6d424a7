import { connect } from 'node:net'

/** The head of a response that does not end. */
const EVENT_STREAM = /^HTTP\/1\.1 200 (?:.*\r\n)*?content-type: text\/event-stream\b.*\r\n(?:.*\r\n)*?\r\n/i

/** A response read from a raw connection. */
export interface RawResponse {
  /** 0 if the connection was closed without a valid response. */
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

/**
 * Sends a request byte for byte, which HTTP clients do not, and reads until the server closes the connection, or
 * the beginning of an event stream. The request should contain `Connection: close`.
 * @throws Error when the connection is still open after the deadline
 */
export function sendRaw(port: number, request: Buffer, deadlineMs: number): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect(port, '127.0.0.1')
    const timer = setTimeout(() => {
      socket.destroy()
      reject(new Error(`The response did not end within ${deadlineMs} ms`))
    }, deadlineMs)
    socket.on('connect', () => socket.write(request))
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      // The head arrives first.
      if (chunks.length < 3 && EVENT_STREAM.test(Buffer.concat(chunks).toString('latin1'))) socket.destroy()
    })
    // A server that rejects a body closes the connection while it is still being sent.
    socket.on('error', () => {})
    socket.on('close', () => {
      clearTimeout(timer)
      resolve(parseResponse(Buffer.concat(chunks).toString()))
    })
  })
}

function parseResponse(text: string): RawResponse {
  const at = text.indexOf('\r\n\r\n')
  const [first = '', ...lines] = text.slice(0, Math.max(at, 0)).split('\r\n')
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
  const rest = text.slice(at + 4)
  return {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1] ?? 0),
    headers,
    body: headers.get('transfer-encoding') === 'chunked' ? decodeChunks(rest) : rest,
  }
}

/** Decodes a chunked body. Chunk sizes count bytes. */
function decodeChunks(text: string): string {
  const bytes = Buffer.from(text)
  const parts: Buffer[] = []
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf('\r\n', from)
    const size = Number.parseInt(bytes.subarray(from, end).toString(), 16)
    if (end < 0 || !(size > 0)) break
    parts.push(bytes.subarray(end + 2, end + 2 + size))
    from = end + 2 + size + 2
  }
  return Buffer.concat(parts).toString()
}
