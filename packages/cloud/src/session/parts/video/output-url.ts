import { MAX_OUTPUT_URL_LENGTH } from '@glasses-cloud/contract'

/** A parsed URL of an output. */
export interface OutputUrl {
  /** As the client sent it, including its stream key. Secret. */
  readonly full: string
  /** The normalized form: equal for two spellings of the same URL. */
  readonly canonical: string
  /** For display and logs: everything that may be a stream key is masked. */
  readonly masked: string
  readonly host: string
}

const MASK = '****'

/** Maximum characters of a text that `maskStreamKeys` returns. */
const MAX_MASKED_LENGTH = 300

/** The default port of each supported scheme; empty where the URL must contain one. */
type Schemes = Readonly<Record<string, string>>

const outputSchemes: Schemes = { 'rtmp:': '1935', 'rtmps:': '443' }

/** The schemes of newer phones; `https` is WHIP (glasses-socket.md §2.2). */
const phoneSchemes: Schemes = { ...outputSchemes, 'srt:': '', 'https:': '443' }

/**
 * Parses the URL of an output: `rtmp://` or `rtmps://` with a host.
 * @returns undefined if the URL is invalid
 */
export function parseOutputUrl(url: string): OutputUrl | undefined {
  return parseUrl(url, outputSchemes)
}

/**
 * Parses a URL that newer phones can stream to: `rtmp://`, `rtmps://`, `srt://` with a port, or `https://`.
 * @returns undefined if the URL is invalid
 */
export function parsePhoneUrl(url: string): OutputUrl | undefined {
  return parseUrl(url, phoneSchemes)
}

function parseUrl(url: string, schemes: Schemes): OutputUrl | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: URL parsers remove them silently
  if (url.length > MAX_OUTPUT_URL_LENGTH || /[\s\x00-\x1f\x7f\\]/.test(url)) return undefined
  const parsed = URL.parse(url)
  if (!parsed?.hostname || !Object.hasOwn(schemes, parsed.protocol) || !/^[a-z]+:\/\/[^/]/i.test(url))
    return undefined
  const port = parsed.port || schemes[parsed.protocol]
  if (!port) return undefined
  // URL parsers normalize the host (case, punycode) only in URLs of known schemes such as http.
  const host = URL.parse(url.replace(/^[^:]+/, 'http'))?.hostname
  if (!host) return undefined
  const { protocol, username, password, pathname, search } = parsed
  const authority = `${host}:${port}`
  const credentials = username || password ? `${username}:${password}@` : ''
  const path = pathname.replace(/\/+$/, '')
  const [, first, ...others] = path.split('/')
  // A single path segment may be an application or a stream key.
  const maskedPath = first && others.length > 0 ? `/${first}/${MASK}` : first ? `/${MASK}` : ''
  const maskedAuthority = `${credentials && `${MASK}@`}${parsed.port ? authority : host}`
  return {
    full: url,
    canonical: `${protocol}//${credentials}${authority}${path}${search}`,
    masked: `${protocol}//${maskedAuthority}${maskedPath}${search && `?${MASK}`}`,
    host,
  }
}

/** Masks the stream keys of all URLs in a text of the provider or the glasses, and truncates it. */
export function maskStreamKeys(text: string): string {
  return text
    .replace(/(?:rtmps?|srt|https):\/\/[^\s"'<>]+/gi, (url) => parsePhoneUrl(url)?.masked ?? MASK)
    .slice(0, MAX_MASKED_LENGTH)
}
