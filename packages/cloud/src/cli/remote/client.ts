import { CommandError } from '../command.ts'

/** Time within which a cloud must respond. */
const TIMEOUT_MS = 60_000

/** A failed request, with the status of the response. */
export class RequestError extends CommandError {
  readonly status: number
  readonly body: unknown

  constructor(message: string, status: number, body: unknown) {
    super(message)
    this.status = status
    this.body = body
  }
}

/** Sends requests to a cloud. */
export class RemoteClient {
  /** Address of the cloud, without a trailing slash. */
  readonly url: string
  readonly #token: string | undefined

  constructor(url: string, token?: string) {
    this.url = url
    this.#token = token
  }

  /**
   * Sends a request with a JSON body.
   * @returns the JSON of the response
   * @throws RequestError with the message of the cloud
   */
  async request<Body>(method: string, path: string, body?: unknown): Promise<Body> {
    const response = await this.#send(method, path, body, AbortSignal.timeout(TIMEOUT_MS))
    const parsed: unknown = await response.json().catch(() => undefined)
    if (!response.ok) throw new RequestError(this.#messageOf(response, parsed), response.status, parsed)
    return parsed as Body
  }

  /** Returns the `data` of a response of the developer API. */
  async data<Data>(method: string, path: string, body?: unknown): Promise<Data> {
    return (await this.request<{ data: Data }>(method, `/api/console${path}`, body)).data
  }

  /** Yields the data of server-sent events until the stream ends. */
  async *events(path: string): AsyncGenerator<string> {
    const response = await this.#send('GET', `/api/console${path}`, undefined)
    if (!response.ok || response.body === null)
      throw new RequestError(this.#messageOf(response, await response.json()), response.status, undefined)
    let text = ''
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      text += chunk
      const lines = text.split('\n')
      text = lines.pop() ?? ''
      for (const line of lines) if (line.startsWith('data: ')) yield line.slice('data: '.length)
    }
  }

  async #send(method: string, path: string, body: unknown, signal?: AbortSignal): Promise<Response> {
    const init: RequestInit = {
      method,
      headers: {
        ...(this.#token === undefined ? {} : { authorization: `Bearer ${this.#token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      // A redirect could send the token to another host.
      redirect: 'error',
      ...(signal && { signal }),
    }
    return fetch(this.url + path, init).catch((error: unknown) => {
      const { cause } = error as { cause?: { code?: string; message?: string } }
      throw new CommandError(
        `${this.url} cannot be reached (${cause?.code ?? cause?.message ?? String(error)})`,
      )
    })
  }

  #messageOf({ status }: Response, body: unknown): string {
    const { message, error, problems } = (body ?? {}) as {
      message?: string
      error?: string
      problems?: { message: string }[]
    }
    if (Array.isArray(problems)) return problems.map((problem) => problem.message).join('\n')
    if (status === 401 && error !== 'SIGN_IN_REJECTED')
      return `${this.url} rejected the token. Run login again`
    return message ?? error ?? `${this.url} responded with status ${status}`
  }
}
