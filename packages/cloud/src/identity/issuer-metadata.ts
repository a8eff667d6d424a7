import type { ServerMetadata } from 'openid-client'

/** Timeout of each request to an issuer. */
export const ISSUER_TIMEOUT_MS = 10_000

/** What is appended to the name of an issuer (OpenID Connect Discovery, section 4). */
const DISCOVERY_PATH = '/.well-known/openid-configuration'

/**
 * Loads what an OpenID Connect issuer publishes about itself.
 * @param issuer its name; a slash at the end makes no difference
 * @returns the metadata, of which only `issuer` was checked
 * @throws Error if it cannot be loaded, or describes another issuer
 */
export async function loadIssuerMetadata(issuer: string): Promise<ServerMetadata> {
  const address = withoutSlash(issuer) + DISCOVERY_PATH
  const found = (await fetchJson(address)) as { readonly issuer?: unknown } | null
  if (typeof found?.issuer !== 'string') throw new Error(`${address} does not describe an issuer`)
  if (!isSameIssuer(found.issuer, issuer))
    throw new Error(`${address} describes the issuer ${found.issuer}; set this name instead of ${issuer}`)
  return found as ServerMetadata
}

/** Fetches a document of an issuer. @throws Error */
export async function fetchJson(address: string): Promise<unknown> {
  const response = await fetch(address, {
    signal: AbortSignal.timeout(ISSUER_TIMEOUT_MS),
    headers: { accept: 'application/json' },
    redirect: 'error',
  })
  if (!response.ok) throw new Error(`${address} answers ${response.status}`)
  return response.json()
}

/** Compares names of issuers; a slash at the end makes no difference. */
export function isSameIssuer(one: unknown, other: string): boolean {
  return typeof one === 'string' && withoutSlash(one) === withoutSlash(other)
}

const withoutSlash = (issuer: string) => issuer.replace(/\/+$/, '')
