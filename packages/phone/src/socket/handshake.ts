import { cloudUrl } from '../phone-api.ts'

/** Target and credentials of a glasses connection. */
export interface HandshakeOptions {
  /** URL of the cloud: `http`, `https`, `ws` or `wss`. `/glasses-ws` is appended to its path. */
  readonly url: string
  readonly token: string
  /** Phones send the token in the query, headless clients in the `Authorization` header. */
  readonly tokenIn: 'header' | 'query'
  /** Value of `?dialect=`. */
  readonly dialectInQuery?: string
}

/** Builds the URL and headers of the WebSocket handshake. */
export function buildHandshake(options: HandshakeOptions): { url: string; headers: Record<string, string> } {
  const query = [
    ...(options.tokenIn === 'query' ? [`token=${encodeURIComponent(options.token)}`] : []),
    ...(options.dialectInQuery ? [`dialect=${options.dialectInQuery}`] : []),
  ].join('&')
  return {
    url: cloudUrl(options.url, 'ws', `/glasses-ws${query && `?${query}`}`),
    headers: options.tokenIn === 'header' ? { authorization: `Bearer ${options.token}` } : {},
  }
}
