import { maxOutputUrlLength } from '@glasses-cloud/contract'

/** Where an output goes, understood. */
export interface OutputUrl {
  /** As it was given; holds the stream key. */
  readonly text: string
  /** The same for every way to write the address. */
  readonly key: string
  /** For people: everything that may be a stream key is masked. */
  readonly shown: string
  readonly host: string
}

const MASK = '****'
const ports: Readonly<Record<string, string>> = { 'rtmp:': '1935', 'rtmps:': '443' }

/**
 * Understands the address of an output: `rtmp://` or `rtmps://` with a host.
 * @returns undefined if it is none
 */
export function parseOutputUrl(text: string): OutputUrl | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: URL parsers drop them without a word
  if (text.length > maxOutputUrlLength || /[\s\x00-\x1f\x7f\\]/.test(text)) return undefined
  const url = URL.parse(text)
  const port = url && ports[url.protocol]
  if (!url?.hostname || !port || !/^rtmps?:\/\//i.test(text)) return undefined
  // Hosts are taken as they stand in schemes that browsers do not know; in `http` they get their one form.
  const host = URL.parse(text.replace(/^[^:]+/, 'http'))?.hostname
  if (!host) return undefined
  const { protocol, username, password, pathname, search } = url
  const place = `${host}:${url.port || port}`
  const who = username || password ? `${username}:${password}@` : ''
  const path = pathname.replace(/\/+$/, '')
  const [, first, ...others] = path.split('/')
  // Of a path with one step nobody can tell whether that is an application or a key.
  const steps = first && others.length > 0 ? `/${first}/${MASK}` : first ? `/${MASK}` : ''
  return {
    text,
    key: `${protocol}//${who}${place}${path}${search}`,
    shown: `${protocol}//${who && `${MASK}@`}${url.port ? place : host}${steps}${search && `?${MASK}`}`,
    host,
  }
}

/** A text of the provider's without any stream key that it may repeat, and not longer than a sentence or two. */
export function withoutKeys(text: string): string {
  return text.replace(/rtmps?:\/\/[^\s"'<>]+/gi, (url) => parseOutputUrl(url)?.shown ?? MASK).slice(0, 300)
}
