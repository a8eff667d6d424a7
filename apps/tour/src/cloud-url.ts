import type { AppSession } from '@mentra/sdk'

/** Where the cloud's REST interface is: beside the socket that the SDK was told to connect to. */
export function cloudUrl(session: AppSession): string {
  return new URL((session.getServerUrl() ?? '').replace(/^ws/, 'http')).origin
}
