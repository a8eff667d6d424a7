/** Returns an address without its trailing slashes, so that paths can be appended to it. */
export function baseUrlOf(url: URL): string {
  return url.href.replace(/\/+$/, '')
}
