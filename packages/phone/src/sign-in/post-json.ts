const TIMEOUT_MS = 20_000

/**
 * Sends a request to the cloud.
 * @param token sent as bearer token
 * @returns the response; an empty body if it is not an object in JSON
 * @throws {Error} if the cloud cannot be reached
 */
export type PostJson = (
  path: string,
  body: object,
  token?: string,
) => Promise<{ readonly status: number; readonly body: Readonly<Record<string, unknown>> }>

/** Sends requests to a cloud with `fetch`, without cookies. @param url of the cloud; paths are appended to its path */
export function postJsonTo(url: string): PostJson {
  const base = url.replace(/\/+$/, '')
  return async (path, body, token) => {
    const response = await fetch(base + path, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
      // A bare JavaScript engine has neither cookies nor signals.
      ...(typeof AbortSignal !== 'undefined' && {
        credentials: 'omit',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      }),
    }).catch((error: unknown) => {
      throw new Error('The cloud cannot be reached.', { cause: error })
    })
    const parsed = parse(await response.text())
    const isObject = typeof parsed === 'object' && parsed !== null
    return { status: response.status, body: isObject ? { ...parsed } : {} }
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
