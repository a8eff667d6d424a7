import type { IncomingMessage } from 'node:http'
import WebSocket from 'ws'
import type { OpenSocket } from './platform.ts'

/** The cloud rejects handshakes with a small JSON body; larger bodies are ignored. */
const MAX_REJECTION_BYTES = 16_384

/** Deadline for the handshake after the TCP connection is open. */
const HANDSHAKE_TIMEOUT_MS = 10_000

export const openSocket: OpenSocket = ({ url, headers, protocols }, handlers) => {
  const socket = new WebSocket(url, protocols, {
    headers,
    perMessageDeflate: false,
    handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
  })
  let rejection: { status: number; reason: string } | undefined
  socket.on('open', () => handlers.open())
  socket.on('message', (data) => handlers.frame(data.toString()))
  // A rejected handshake is reported by `close`, which has the cause.
  socket.on('error', (error) => rejection ?? handlers.error(error))
  socket.on('unexpected-response', async (_request, response) => {
    rejection = { status: response.statusCode ?? 0, reason: await rejectionReason(response) }
    socket.terminate()
  })
  socket.on('close', (code, reason) => handlers.close({ code, reason: reason.toString(), ...rejection }))
  return {
    get isOpen() {
      return socket.readyState === WebSocket.OPEN
    },
    sendText: (text) => socket.send(text),
    sendBinary: (frame) =>
      new Promise((resolve, reject) => socket.send(frame, (error) => (error ? reject(error) : resolve()))),
    close: (code, reason) => socket.close(code, reason),
    terminate: () => socket.terminate(),
  }
}

/** The `message` in the body of a rejected handshake, or a generic message with the status. */
async function rejectionReason(response: IncomingMessage): Promise<string> {
  const fallback = `The cloud rejected the connection with status ${response.statusCode}`
  try {
    let body = ''
    for await (const chunk of response) {
      body += chunk
      if (body.length > MAX_REJECTION_BYTES) return fallback
    }
    const parsed: unknown = JSON.parse(body)
    if (
      typeof parsed === 'object' &&
      parsed !== null &&
      'message' in parsed &&
      typeof parsed.message === 'string'
    ) {
      return parsed.message
    }
    return fallback
  } catch {
    return fallback
  }
}
