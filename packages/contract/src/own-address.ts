/** Longest address that {@link ownAddress} returns, in characters. */
export const MAX_OWN_ADDRESS_LENGTH = 500

/**
 * Returns path, query and fragment of an address of an origin, and `/` for everything else: addresses of other hosts and
 * schemes, with credentials or control characters, and values that are not one text, such as a repeated parameter. Use it
 * where the value leads somewhere, not where it is read.
 */
export function ownAddress(value: unknown, origin: string): string {
  if (typeof value !== 'string' || value.length > MAX_OWN_ADDRESS_LENGTH || hasForbidden(value)) return '/'
  if (!value.startsWith('/') && !URL.canParse(value)) return '/'
  const own = originOf(origin)
  const url = URL.parse(value, own)
  if (url === null || url.origin !== own || url.username !== '' || url.password !== '') return '/'
  // The origin of a blob is that of the page that made it.
  if (url.protocol === 'blob:') return '/'
  const address = url.pathname + url.search + url.hash
  // A path that begins with two slashes is an address of another host where it is used alone.
  return originOf(address, own) === own ? address : '/'
}

const originOf = (address: string, base?: string) => URL.parse(address, base)?.origin

/** Parsers of addresses skip control characters, and take backslashes for slashes. */
const hasForbidden = (value: string) => /[\p{Cc}\s\\]/u.test(value)
