import { fault } from '../../http/fault.ts'
import type { Services } from '../../http/services.ts'
import type { SessionHandle } from '../../session-host/index.ts'

/** The session that a managed stream belongs to. @throws Fault `STREAM_NOT_FOUND` */
export async function streamSession(
  { streams, sessions }: Services,
  streamId: string,
): Promise<SessionHandle> {
  const userId = streams.ownerOf(streamId)
  const session = userId === undefined ? undefined : await sessions.find(userId)
  if (session === undefined) throw fault('STREAM_NOT_FOUND')
  return session
}

/** What an answer says, with what the provider wants everybody to know. */
export function withNotice({ streams }: Services, sentence: string): string {
  return streams.notice === undefined ? sentence : `${sentence} (${streams.notice})`
}
