import { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { AppServer, AuthenticatedRequest } from '@mentra/sdk'

/** A photo that came to an address of our own choice, past the SDK. */
export interface DeliveredPhoto {
  readonly requestId: string
  readonly bytes: number
  /** What the uploader sent as `Authorization`. */
  readonly authorization: string | undefined
}

/** More than this no photo has, in bytes: anybody may knock at a web server. */
const MAX_BYTES = 16 * 1024 * 1024

/** What of Express is used here. */
interface Answer {
  status(code: number): Answer
  json(body: unknown): void
}

/** Who comes to the pages that this app adds to the web server of the SDK. */
export class Visitors extends EventEmitter<{
  web: [userId: string]
  tool: [userId: string]
  photo: [DeliveredPhoto]
}> {
  /** Adds the pages. The middleware of the SDK has found out by then who is asking. */
  constructor(server: AppServer) {
    super()
    const web = server.getExpressApp()
    web.get('/web', (request: AuthenticatedRequest, answer: Answer) => {
      const { authUserId, activeSession } = request
      if (!authUserId) return answer.status(401).json({ error: 'Open this page in the phone app' })
      answer.json({ userId: authUserId, inSession: Boolean(activeSession) })
      this.emit('web', authUserId)
    })
    web.post('/own-photos', async (request: IncomingMessage, answer: Answer) => {
      const photo = await readPhoto(request).catch(() => undefined)
      if (!photo) return answer.status(400).json({ error: 'A form with a photo is needed' })
      answer.json({ success: true })
      this.emit('photo', photo)
    })
  }
}

async function readPhoto(request: IncomingMessage): Promise<DeliveredPhoto | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += chunk.length
    if (bytes > MAX_BYTES) return undefined
    chunks.push(chunk)
  }
  const headers = { 'content-type': request.headers['content-type'] ?? '' }
  const form = await new Response(Buffer.concat(chunks), { headers }).formData()
  const [photo, requestId] = [form.get('photo'), form.get('requestId')]
  if (!(photo instanceof File) || typeof requestId !== 'string') return undefined
  return { requestId, bytes: photo.size, authorization: request.headers.authorization }
}
