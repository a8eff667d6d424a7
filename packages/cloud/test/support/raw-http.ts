import { connect } from 'node:net'

/** What a connection gave back. */
export interface RawAnswer {
  /** 0 if nothing that is an answer came before the connection was closed. */
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

/**
 * Sends bytes as they are, which no HTTP client would, and reads until the server closes the connection: so the
 * request should say `Connection: close`.
 * @throws Error when the connection is still open after the deadline
 */
export function sendRaw(port: number, request: Buffer, deadlineMs: number): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect(port, '127.0.0.1')
    const late = setTimeout(() => {
      socket.destroy()
      reject(new Error(`No end of the answer within ${deadlineMs} ms`))
    }, deadlineMs)
    socket.on('connect', () => socket.write(request))
    socket.on('data', (chunk) => chunks.push(chunk))
    // A server that refuses a body closes while it is still being sent.
    socket.on('error', () => {})
    socket.on('close', () => {
      clearTimeout(late)
      resolve(read(Buffer.concat(chunks).toString()))
    })
  })
}

function read(text: string): RawAnswer {
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
    body: headers.get('transfer-encoding') === 'chunked' ? joined(rest) : rest,
  }
}

/** The chunks of a body, joined. Sizes count bytes; texts here are compared, not measured. */
function joined(text: string): string {
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
