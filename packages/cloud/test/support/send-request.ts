import type { ReceivedResponse } from './openapi-validator.ts'

/** Options of a test request. */
export interface TestRequest {
  readonly token?: string | undefined
  /** Sent as JSON; a string is sent verbatim. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** A response. `body` is the parsed JSON, or the text if it is not JSON; its type is not verified. */
export interface TestResponse<Body = unknown> {
  readonly status: number
  readonly body: Body
  readonly headers: Headers
}

/** Sends a request to a server at a base URL. Redirects are not followed. */
export async function sendRequest<Body>(
  url: string,
  method: string,
  path: string,
  { token, body, headers }: TestRequest = {},
): Promise<TestResponse<Body> & ReceivedResponse> {
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    redirect: 'manual',
    signal: AbortSignal.timeout(30_000),
  })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    contentType: response.headers.get('content-type'),
    text,
    body: parseJson(text) as Body,
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
