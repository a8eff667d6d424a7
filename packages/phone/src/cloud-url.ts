const CLOUD_URL = /^(?:http|ws)(s?):\/\/([^\s/?#][^\s?#]*?)\/*$/i

/**
 * Returns an address of the cloud. Bare JavaScript engines have no `URL`.
 * @param url of the cloud: `http`, `https`, `ws` or `wss`, with a path or without
 * @param path appended to the path of the URL; begins with a slash
 * @throws {Error} if the URL is not one of a cloud
 */
export function cloudUrl(url: string, scheme: 'http' | 'ws', path: string): string {
  const [, secure, location] = CLOUD_URL.exec(url) ?? []
  if (location === undefined)
    throw new Error('The URL of the cloud is invalid; it begins with http:// or https://')
  return `${scheme}${secure?.toLowerCase()}://${location}${path}`
}
