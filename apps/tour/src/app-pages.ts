import { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { AppServer, AuthenticatedRequest } from '@mentra/sdk'

/** A photo uploaded to a custom URL instead of the SDK's. */
export interface DeliveredPhoto {
  readonly requestId: string
  readonly bytes: number
  /** The `Authorization` header of the upload. */
  readonly authorization: string | undefined
}

const MAX_PHOTO_BYTES = 16 * 1024 * 1024

/** The used part of Express's `Response`. */
interface ExpressResponse {
  status(code: number): ExpressResponse
  json(body: unknown): void
}

/** The pages that the app adds to the SDK's web server. Emits an event for each request. */
export class AppPages extends EventEmitter<{
  web: [userId: string]
  tool: [userId: string]
  photo: [DeliveredPhoto]
}> {
  /** Registers the pages behind the SDK's middleware, which authenticates the user. */
  constructor(server: AppServer) {
    super()
    const web = server.getExpressApp()
    web.get('/web', (request: AuthenticatedRequest, response: ExpressResponse) => {
      const { authUserId, activeSession } = request
      if (!authUserId) return response.status(401).json({ error: 'Open this page from the phone app' })
      response.json({ userId: authUserId, inSession: Boolean(activeSession) })
      this.emit('web', authUserId)
    })
    web.post('/own-photos', async (request: IncomingMessage, response: ExpressResponse) => {
      const photo = await readPhoto(request).catch(() => undefined)
      if (!photo) return response.status(400).json({ error: 'A multipart form with a photo is required' })
      response.json({ success: true })
      this.emit('photo', photo)
    })
  }
}

async function readPhoto(request: IncomingMessage): Promise<DeliveredPhoto | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += chunk.length
    if (bytes > MAX_PHOTO_BYTES) return undefined
    chunks.push(chunk)
  }
  const headers = { 'content-type': request.headers['content-type'] ?? '' }
  const form = await new Response(Buffer.concat(chunks), { headers }).formData()
  const [photo, requestId] = [form.get('photo'), form.get('requestId')]
  if (!(photo instanceof File) || typeof requestId !== 'string') return undefined
  return { requestId, bytes: photo.size, authorization: request.headers.authorization }
}
