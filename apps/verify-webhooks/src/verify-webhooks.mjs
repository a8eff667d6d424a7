import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { Readable } from 'node:stream'
import express from 'express'

const MAX_AGE_SECONDS = 5 * 60

/** A photo has at most 10 MiB. */
const MAX_BODY_BYTES = 11 * 1024 * 1024

/**
 * Rejects calls that the cloud did not sign, or signed more than five minutes ago. Call it before `start()`.
 * @param {import('@mentra/sdk').AppServer} server
 * @param {string} apiKey
 */
export function verifyWebhooks(server, apiKey) {
  const app = server.getExpressApp()
  const verified = express()
  // The signature covers the bytes as they were received, which the parsers of the SDK would discard.
  const readBytes = express.raw({ type: () => true, limit: MAX_BODY_BYTES })
  verified.post(['/webhook', '/tool', '/settings', '/photo-upload'], readBytes, (request, response, next) => {
    const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
    if (!isSigned(bytes, request.headers, apiKey)) {
      response.status(401).json({ status: 'error', message: 'The signature is missing, wrong or too old' })
      return
    }
    // A form is parsed from the stream, which has been read.
    if (request.is('multipart/form-data')) request.pipe = (parser) => Readable.from([bytes]).pipe(parser)
    else request.body = JSON.parse(String(bytes))
    next()
  })
  verified.use(app)
  // start() of the SDK listens on its own Express app.
  app.listen = (...options) => verified.listen(...options)
}

/**
 * Whether a call was signed with an API key within the last five minutes (Standard Webhooks).
 * @param {Uint8Array} body the bytes as they were received
 * @param {import('node:http').IncomingHttpHeaders} headers
 * @param {string} apiKey
 */
export function isSigned(body, headers, apiKey) {
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signatures } = headers
  if (!id || !(Math.abs(Date.now() / 1000 - Number(time)) <= MAX_AGE_SECONDS)) return false
  const secret = createHash('sha256').update(apiKey).digest()
  const expected = createHmac('sha256', secret).update(`${id}.${time}.`).update(body).digest()
  return String(signatures)
    .split(' ')
    .filter((signature) => signature.startsWith('v1,'))
    .map((signature) => Buffer.from(signature.slice('v1,'.length), 'base64'))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected))
}
