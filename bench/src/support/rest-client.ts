import { Agent, get } from 'node:http'
import { mapConcurrently } from './tasks.ts'

/** A response with its whole body. */
export interface RestResponse {
  readonly status: number
  readonly contentType: string
  readonly body: string
}

/** HTTP client with keep-alive connections to one server. */
export class RestClient {
  readonly #agent: Agent
  readonly #port: number
  readonly #headers: Record<string, string>

  constructor(port: number, { token, connections = 8 }: { token?: string; connections?: number } = {}) {
    this.#port = port
    this.#headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections })
  }

  get(path: string): Promise<RestResponse> {
    return new Promise((resolve, reject) => {
      const options = {
        port: this.#port,
        host: '127.0.0.1',
        path,
        agent: this.#agent,
        headers: this.#headers,
      }
      get(options, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            contentType: response.headers['content-type'] ?? '',
            body: Buffer.concat(chunks).toString(),
          }),
        )
      }).on('error', reject)
    })
  }

  /** @throws {Error} for any status but 200 */
  async getOk(path: string): Promise<RestResponse> {
    const response = await this.get(path)
    if (response.status !== 200) throw new Error(`GET ${path} returned ${response.status}: ${response.body}`)
    return response
  }

  /** Sends `count` requests, `concurrency` at a time. */
  async load(path: string, count: number, concurrency = 8): Promise<void> {
    await mapConcurrently(Array(count).fill(path), concurrency, () => this.getOk(path))
  }

  close(): void {
    this.#agent.destroy()
  }
}
