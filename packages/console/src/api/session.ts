import { BASE_PATH } from '../base-path.ts'
import { type SessionUser, SessionWatch } from './session-watch.ts'

/** The session of this tab. */
export const sessionWatch = new SessionWatch(readSession, () => window.location.reload())

async function readSession(): Promise<SessionUser | null> {
  const response = await fetch(`${BASE_PATH}/api/auth/get-session`)
  if (!response.ok) throw new Error(`The session could not be read (${response.status})`)
  return ((await response.json()) as { user: SessionUser } | null)?.user ?? null
}

let opened: BroadcastChannel | undefined

/** Connects the tabs. */
function channel(): BroadcastChannel {
  opened ??= new BroadcastChannel('session')
  return opened
}

/** Notifies the other tabs that somebody signed in. */
export function announceSignIn(): void {
  channel().postMessage('signed-in')
}

/**
 * Follows sign-ins in other tabs. Browsers suspend hidden tabs, and a sign-in at an issuer is announced by nobody, so a tab
 * looks again when it is shown.
 */
export function followOtherTabs(): void {
  const recheck = () => void sessionWatch.recheck()
  channel().addEventListener('message', recheck)
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) recheck()
  })
}
