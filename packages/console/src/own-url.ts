import { BASE_PATH } from './base-path.ts'

/** The URL from which the page may play a sound: the cloud fetches those of other hosts. */
export function playableUrl(url: string, requestId: string): string {
  return isOwnUrl(url) ? url : `${BASE_PATH}/api/client/audio/sounds/${encodeURIComponent(requestId)}`
}

/** Whether a URL belongs to this cloud: the console loads nothing from other hosts. */
export function isOwnUrl(url: string): boolean {
  return url !== '' && URL.parse(url, window.location.href)?.origin === window.location.origin
}
