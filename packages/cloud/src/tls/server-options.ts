import { constants } from 'node:crypto'
import type { TlsOptions } from 'node:tls'

/** Time in which a client must complete the handshake. */
export const HANDSHAKE_TIMEOUT_MS = 10_000

/** Those of TLS 1.3, and of TLS 1.2 those with forward secrecy and authenticated encryption. */
const CIPHERS = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
].join(':')

/** What every TLS server of the cloud has in common. */
export const TLS_OPTIONS = {
  minVersion: 'TLSv1.2',
  ciphers: CIPHERS,
  // Phones without instructions for AES prefer ChaCha20.
  honorCipherOrder: false,
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
  handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
  // By default it differs between processes, so that a session of one node could not be resumed on another.
  sessionIdContext: 'glasses-cloud',
} as const satisfies TlsOptions
