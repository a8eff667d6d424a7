import type { AppSession } from '@mentra/sdk'

/** The base URL of the cloud's REST API: the origin of the socket that the SDK connects to. */
export function cloudUrl(session: AppSession): string {
  return new URL((session.getServerUrl() ?? '').replace(/^ws/, 'http')).origin
}
