import type { OpenSocket, SocketEnd } from './platform.ts'

/** Close code of a connection that ended without a closing handshake (RFC 6455, section 7.4.1). */
const ABNORMAL_CLOSURE = 1006

export const openSocket: OpenSocket = ({ url, protocols }, handlers) => {
  const socket = new WebSocket(url, protocols)
  socket.binaryType = 'arraybuffer'
  const decoder = new TextDecoder()
  let isOver = false
  const end = (reason: SocketEnd) => {
    if (isOver) return
    isOver = true
    handlers.close(reason)
  }
  socket.onopen = () => handlers.open()
  socket.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
    if (!isOver) handlers.frame(typeof data === 'string' ? data : decoder.decode(data))
  }
  // Browsers do not tell scripts why.
  socket.onerror = () => isOver || handlers.error(new Error('The connection failed'))
  socket.onclose = ({ code, reason }) => end({ code, reason })
  return {
    get isOpen() {
      return !isOver && socket.readyState === WebSocket.OPEN
    },
    sendText: (text) => socket.send(text),
    sendBinary: async (frame) => socket.send(new Uint8Array(frame)),
    close: (code, reason) => socket.close(code, reason),
    terminate() {
      // A browser cannot drop a connection, so it is closed in the background.
      socket.close()
      end({ code: ABNORMAL_CLOSURE, reason: '' })
    },
  }
}
