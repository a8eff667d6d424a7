import { Type } from 'typebox'
import { type Bus, BusError, nodeCall, UnsupportedRequest } from '../bus/index.ts'
import { SESSION_COMMANDS } from '../session/index.ts'
import { createHandle, type SessionHandle } from './session-handle.ts'
import type { OwnedPlace } from './session-ownership.ts'
import { SessionUnavailableError } from './session-ownership.ts'
import { ownedSession, type Sessions } from './sessions.ts'

/**
 * A command to a session on another node. A node that does not know the command, or not in this form, answers so.
 * `gone`: the node does not own the session in this epoch, and nothing happened.
 */
const sessionCall = nodeCall({
  name: 'session call',
  argument: Type.Object({
    ...ownedSession.properties,
    method: Type.String(),
    args: Type.Array(Type.Unknown()),
  }),
  result: Type.Union([Type.Object({ gone: Type.Literal(true) }), Type.Object({ value: Type.Unknown() })]),
  timeoutMs: 5_000,
})

/** The session ended, or moved to another node, before it was called. */
class SessionGoneError extends Error {
  constructor() {
    super('The session is no longer on the node that owned it; try again')
    this.name = 'SessionGoneError'
  }
}

export interface RemoteHandleDeps {
  readonly bus: Bus
  /** Returns where the session is now. */
  relocate(place: OwnedPlace): Promise<OwnedPlace | undefined>
  nodeIdOf(holder: string): string
}

/**
 * Creates a handle of a session on another node. A call is repeated once, and only if it certainly had no effect because
 * the session has moved.
 */
export function createRemoteHandle(
  first: OwnedPlace,
  { bus, relocate, nodeIdOf }: RemoteHandleDeps,
): SessionHandle {
  let place = first
  return createHandle(first.userSessionId, async (method, args, command) => {
    const { deadlineMs, isDoneIfGone } = command
    const send = async () => {
      const { userSessionId, userId, epoch, owner } = place
      const call = { userSessionId, userId, epoch, method, args: [...args] }
      const result = await sessionCall.send(bus, nodeIdOf(owner), call, deadlineMs)
      if ('gone' in result || command.acceptsResult(result.value)) return result
      throw new BusError('UNSUPPORTED', `The other node answered ${method} in a form of another version`)
    }
    let result = await send()
    if ('gone' in result) {
      if (isDoneIfGone) return undefined
      const moved = await relocate(place)
      if (!moved || moved.userSessionId !== place.userSessionId) throw new SessionGoneError()
      place = moved
      result = await send()
    }
    if ('gone' in result) throw new SessionGoneError()
    return result.value
  })
}

/** Answers the calls of other nodes for the sessions of this one. */
export function serveRemoteCalls(bus: Bus, sessions: Sessions, isOwner: () => boolean): void {
  sessionCall.handle(bus, async ({ method, args, ...owned }) => {
    const command = SESSION_COMMANDS.get(method)
    if (!command?.acceptsArgs(args))
      throw new UnsupportedRequest(`This node does not know this form of ${method}`)
    if (!isOwner()) return { gone: true }
    const hosted = await sessions.findOwned(owned)
    if (!hosted || !isOwner()) return { gone: true }
    return { value: await hosted.session.run(method, args) }
  })
}

/**
 * Whether an error means that another node could not be reached, or runs a version that does not know the request, or
 * that the session cannot be opened at the moment.
 */
export function isRemoteFailure(error: unknown): boolean {
  if (error instanceof SessionGoneError || error instanceof SessionUnavailableError) return true
  return error instanceof BusError && error.code !== 'FAILED'
}
