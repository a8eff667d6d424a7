import { createHash } from 'node:crypto'
import express from 'express'
import { Webhook } from 'standardwebhooks'

/**
 * Rejects calls that the cloud did not sign, or signed more than five minutes ago. Call it before `start()`.
 * @param {import('@mentra/sdk').AppServer} server
 * @param {string} apiKey
 */
export function verifyWebhooks(server, apiKey) {
  const webhook = new Webhook(createHash('sha256').update(apiKey).digest('base64'))
  const app = server.getExpressApp()
  const verified = express()
  // The signature covers the bytes as they were received, which the JSON parser of the SDK would discard.
  const readBytes = express.raw({ type: () => true })
  verified.post(['/webhook', '/tool', '/settings'], readBytes, (request, response, next) => {
    try {
      request.body = webhook.verify(request.body, request.headers)
    } catch {
      response.status(401).json({ status: 'error', message: 'The signature is missing, wrong or too old' })
      return
    }
    next()
  })
  verified.use(app)
  // start() of the SDK listens on its own Express app.
  app.listen = (...options) => verified.listen(...options)
}
