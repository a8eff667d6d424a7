/** Where and how a glasses client knocks. */
export interface HandshakeOptions {
  /** The cloud: `http`, `https`, `ws` or `wss`. A path of it stays in front of `/glasses-ws`. */
  readonly url: string
  readonly token: string
  /** Phones put the token into the query, headless clients into the `Authorization` header. */
  readonly tokenIn: 'header' | 'query'
  /** Asks for a dialect by `?dialect=`. */
  readonly dialectInQuery?: string
}

/** The WebSocket URL and headers for an address. */
export function buildHandshake(address: HandshakeOptions): { url: string; headers: Record<string, string> } {
  const url = new URL(address.url)
  url.protocol = url.protocol.replace(/^http/, 'ws')
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/glasses-ws`
  if (address.tokenIn === 'query') url.searchParams.set('token', address.token)
  if (address.dialectInQuery) url.searchParams.set('dialect', address.dialectInQuery)
  return {
    url: url.href,
    headers: address.tokenIn === 'header' ? { authorization: `Bearer ${address.token}` } : {},
  }
}
