/** Whether a URL belongs to this cloud: the console loads nothing from other hosts. */
export function isOwnUrl(url: string): boolean {
  return url !== '' && URL.parse(url, window.location.href)?.origin === window.location.origin
}
