import { fault } from '../../http/fault.ts'
import type { SessionDirectory, SessionHandle } from '../../session-host/index.ts'
import type { LiveStreams } from './live-streams.ts'

/** The session that a managed stream belongs to. @throws Fault `STREAM_NOT_FOUND` */
export async function streamSession(
  { streams, sessions }: { readonly streams: LiveStreams; readonly sessions: SessionDirectory },
  streamId: string,
): Promise<SessionHandle> {
  const userId = streams.ownerOf(streamId)
  const session = userId === undefined ? undefined : await sessions.find(userId)
  if (session === undefined) throw fault('STREAM_NOT_FOUND')
  return session
}

/** What an answer says, with what the provider wants everybody to know. */
export function withNotice(streams: LiveStreams, sentence: string): string {
  return streams.notice === undefined ? sentence : `${sentence} (${streams.notice})`
}
