import { type Bus, BusError } from '../bus/index.ts'
import type { SessionApp } from './collaborators.ts'
import type { SessionHandle } from './session-handle.ts'
import type { OwnedPlace } from './session-ownership.ts'
import type { OwnedSession, Sessions } from './sessions.ts'

type Method = Exclude<keyof SessionHandle, 'userSessionId'>

/** Time for a call that the session answers without waiting for anything outside. */
const DEADLINE_MS = 5_000

/** Time for a call that waits for rows, webhooks or the streaming provider, whose own limits are shorter. */
const LONG_DEADLINE_MS = 30_000

/** The methods that other nodes may call, and the time for each. */
const DEADLINES_MS: Readonly<Record<Method, number>> = {
  startApp: LONG_DEADLINE_MS,
  stopApp: LONG_DEADLINE_MS,
  appState: DEADLINE_MS,
  overview: DEADLINE_MS,
  activity: DEADLINE_MS,
  glasses: DEADLINE_MS,
  appsChanged: DEADLINE_MS,
  claimPhoto: DEADLINE_MS,
  rejectPhoto: DEADLINE_MS,
  answerPhoto: DEADLINE_MS,
  photoResponse: DEADLINE_MS,
  pressButton: DEADLINE_MS,
  isPhotoPending: DEADLINE_MS,
  reportDevice: DEADLINE_MS,
  reportLocation: DEADLINE_MS,
  answerLocationPoll: DEADLINE_MS,
  reportCalendar: DEADLINE_MS,
  notify: DEADLINE_MS,
  notificationDismissed: DEADLINE_MS,
  reportDateTime: DEADLINE_MS,
  addOutput: LONG_DEADLINE_MS,
  removeOutput: LONG_DEADLINE_MS,
  outputs: LONG_DEADLINE_MS,
  osSettingsChanged: LONG_DEADLINE_MS,
  appSettingsChanged: LONG_DEADLINE_MS,
  appSettings: LONG_DEADLINE_MS,
  hasApp: DEADLINE_MS,
  appAddress: DEADLINE_MS,
  end: DEADLINE_MS,
  configureAudio: DEADLINE_MS,
  soundUrl: DEADLINE_MS,
  recentAudio: DEADLINE_MS,
  transcripts: DEADLINE_MS,
}

const REQUEST = 'session call'

interface Call extends OwnedSession {
  readonly method: Method
  readonly args: readonly unknown[]
}

/** `gone`: the node does not own the session in this epoch, and nothing happened. */
type CallResult = { readonly gone: true } | { readonly value: unknown }

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
export function createRemoteHandle(first: OwnedPlace, deps: RemoteHandleDeps): SessionHandle {
  let place = first
  const send = async (method: Method, args: readonly unknown[]): Promise<CallResult> => {
    const { userSessionId, userId, epoch, owner } = place
    const call: Call = { userSessionId, userId, epoch, method, args }
    const result = await deps.bus.request(deps.nodeIdOf(owner), REQUEST, call, DEADLINES_MS[method])
    return result as CallResult
  }
  const call = async (method: Method, args: readonly unknown[]): Promise<unknown> => {
    let result = await send(method, args)
    if ('gone' in result) {
      // A session that is gone has ended, for instance because its node noticed the same change.
      if (method === 'end') return undefined
      const moved = await deps.relocate(place)
      if (!moved || moved.userSessionId !== place.userSessionId) throw new SessionGoneError()
      place = moved
      result = await send(method, args)
    }
    if ('gone' in result) throw new SessionGoneError()
    return result.value
  }
  const methods = (Object.keys(DEADLINES_MS) as Method[]).map((method) => [
    method,
    (...args: readonly unknown[]) => call(method, method === 'startApp' ? args.map(toPlainApp) : args),
  ])
  return { userSessionId: first.userSessionId, ...Object.fromEntries(methods) } as SessionHandle
}

/** Answers the calls of other nodes for the sessions of this one. */
export function serveRemoteCalls(bus: Bus, sessions: Sessions, isOwner: () => boolean): void {
  bus.handle(REQUEST, async (argument): Promise<CallResult> => {
    const { method, args, ...owned } = argument as Call
    if (!isOwner()) return { gone: true }
    const hosted = await sessions.findOwned(owned)
    if (!hosted || !isOwner() || !Object.hasOwn(DEADLINES_MS, method)) return { gone: true }
    const handle = sessions.handleOf(hosted) as unknown as Record<
      Method,
      (...args: readonly unknown[]) => Promise<unknown>
    >
    return { value: await handle[method](...args) }
  })
}

/** Whether an error means that another node could not be reached. */
export function isRemoteFailure(error: unknown): boolean {
  return error instanceof SessionGoneError || (error instanceof BusError && error.code !== 'FAILED')
}

/** Copies what a session needs of an app: catalogue entries are not plain data. */
function toPlainApp(app: unknown): SessionApp {
  const {
    id,
    packageName,
    name,
    appType,
    permissions,
    hardwareRequirements,
    minHardwareVersion,
    publicUrl,
    settings,
    unreachableSince,
  } = app as SessionApp
  return {
    id,
    packageName,
    name,
    appType,
    permissions,
    hardwareRequirements,
    ...(minHardwareVersion === undefined ? {} : { minHardwareVersion }),
    publicUrl,
    settings,
    unreachableSince,
  }
}
