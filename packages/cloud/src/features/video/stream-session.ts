import { fault } from '../../http/fault.ts'
import type { SessionDirectory, SessionHandle } from '../../session-host/index.ts'
import type { LiveStreams } from './live-streams.ts'

/** Returns the session of a managed stream. @throws Fault `STREAM_NOT_FOUND` */
export async function streamSession(
  { streams, sessions }: { readonly streams: LiveStreams; readonly sessions: SessionDirectory },
  streamId: string,
): Promise<SessionHandle> {
  const userId = await streams.userOf(streamId)
  const session = userId === undefined ? undefined : await sessions.find(userId)
  if (session === undefined) throw fault('STREAM_NOT_FOUND')
  return session
}

/** Appends the notice of the provider to a message. */
export function withNotice(streams: LiveStreams, message: string): string {
  return streams.notice === undefined ? message : `${message} (${streams.notice})`
}
