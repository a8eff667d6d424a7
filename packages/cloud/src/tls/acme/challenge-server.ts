import { createSecureContext, createServer, type SecureContext } from 'node:tls'
import { type ConnectionHandler, TLS_OPTIONS } from '../handshake-guard.ts'
import { loadAcmeClient } from '../libraries.ts'
import type { OrderStore } from './order-store.ts'

/** The tokens of `http-01` challenges. */
const CHALLENGE_PATH = /^\/\.well-known\/acme-challenge\/([A-Za-z0-9_-]{1,256})$/

/** Returns the answer to an `http-01` challenge, which any node gives; undefined for other paths and unknown tokens. */
export async function answerHttpChallenge(store: OrderStore, path: string): Promise<string | undefined> {
  const token = CHALLENGE_PATH.exec(path)?.[1]
  return token === undefined ? undefined : store.findByToken(token)
}

/**
 * Creates the server that answers `tls-alpn-01` challenges (RFC 8737): its certificate contains the answer, and the
 * connection is closed after the handshake.
 */
export function createChallengeServer(store: OrderStore): ConnectionHandler {
  const server = createServer({
    ...TLS_OPTIONS,
    ALPNProtocols: ['acme-tls/1'],
    SNICallback: (host, done) => {
      challengeContext(store, host).then(
        (context) => done(null, context),
        (error: Error) => done(error),
      )
    },
  })
  server.on('secureConnection', (socket) => socket.end())
  server.on('tlsClientError', (_error, socket) => socket.destroy())
  return (socket) => void server.emit('connection', socket)
}

async function challengeContext(store: OrderStore, host: string): Promise<SecureContext> {
  const answer = await store.findByHost(host)
  // Without a challenge in progress, nothing is computed for whoever asks.
  if (answer === undefined) throw new Error('There is no such challenge')
  const { crypto } = await loadAcmeClient()
  const key = await crypto.createPrivateEcdsaKey('P-256')
  const identifier = { type: 'dns', value: host }
  const [, certificate] = await crypto.createAlpnCertificate({ identifier } as never, answer, key)
  return createSecureContext({ cert: certificate, key })
}
