import { maxOutputUrlLength } from '@glasses-cloud/contract'

/** Where an output goes, understood. */
export interface OutputUrl {
  /** As it was given; holds the stream key. */
  readonly url: string
  /** The same for every way to write the address. */
  readonly canonical: string
  /** For people: everything that may be a stream key is masked. */
  readonly masked: string
  readonly host: string
}

const MASK = '****'

/** The port that an address without one means, by scheme; empty where there is no usual one. */
type Schemes = Readonly<Record<string, string>>

const outputSchemes: Schemes = { 'rtmp:': '1935', 'rtmps:': '443' }

/** What newer phones stream to as well; `https` is WHIP (glasses socket protocol, 2.2). */
const phoneSchemes: Schemes = { ...outputSchemes, 'srt:': '', 'https:': '443' }

/**
 * Understands the address of an output: `rtmp://` or `rtmps://` with a host.
 * @returns undefined if it is none
 */
export function parseOutputUrl(text: string): OutputUrl | undefined {
  return parseUrl(text, outputSchemes)
}

/**
 * Understands an address that a newer phone streams to by itself: one of an output, `srt://` with a port, `https://`.
 * @returns undefined if it is none
 */
export function parsePhoneUrl(text: string): OutputUrl | undefined {
  return parseUrl(text, phoneSchemes)
}

function parseUrl(text: string, schemes: Schemes): OutputUrl | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: URL parsers drop them without a word
  if (text.length > maxOutputUrlLength || /[\s\x00-\x1f\x7f\\]/.test(text)) return undefined
  const url = URL.parse(text)
  if (!url?.hostname || !Object.hasOwn(schemes, url.protocol) || !/^[a-z]+:\/\/[^/]/i.test(text))
    return undefined
  const port = url.port || schemes[url.protocol]
  if (!port) return undefined
  // Hosts are taken as they stand in schemes that browsers do not know; in `http` they get their one form.
  const host = URL.parse(text.replace(/^[^:]+/, 'http'))?.hostname
  if (!host) return undefined
  const { protocol, username, password, pathname, search } = url
  const place = `${host}:${port}`
  const who = username || password ? `${username}:${password}@` : ''
  const path = pathname.replace(/\/+$/, '')
  const [, first, ...others] = path.split('/')
  // Of a path with one step nobody can tell whether that is an application or a key.
  const steps = first && others.length > 0 ? `/${first}/${MASK}` : first ? `/${MASK}` : ''
  return {
    url: text,
    canonical: `${protocol}//${who}${place}${path}${search}`,
    masked: `${protocol}//${who && `${MASK}@`}${url.port ? place : host}${steps}${search && `?${MASK}`}`,
    host,
  }
}

/**
 * A text of the provider's or of the glasses' without any stream key that its addresses may hold, and not longer than
 * a sentence or two.
 */
export function maskStreamKeys(text: string): string {
  return text
    .replace(/(?:rtmps?|srt|https):\/\/[^\s"'<>]+/gi, (url) => parsePhoneUrl(url)?.masked ?? MASK)
    .slice(0, 300)
}
