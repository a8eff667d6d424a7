/** The reason in a JSON error response, as a suffix for an error message. */
export async function errorDetail(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => undefined)
  if (typeof body !== 'object' || body === null) return ''
  const { message, error } = body as { readonly message?: unknown; readonly error?: unknown }
  const reason = message ?? error
  return typeof reason === 'string' ? `: ${reason.slice(0, 200)}` : ''
}
