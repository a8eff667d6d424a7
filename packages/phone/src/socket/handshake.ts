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
  const url = new URL(options.url)
  url.protocol = url.protocol.replace(/^http/, 'ws')
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/glasses-ws`
  if (options.tokenIn === 'query') url.searchParams.set('token', options.token)
  if (options.dialectInQuery) url.searchParams.set('dialect', options.dialectInQuery)
  return {
    url: url.href,
    headers: options.tokenIn === 'header' ? { authorization: `Bearer ${options.token}` } : {},
  }
}
