import { NO_STATUS_RECEIVED } from '@glasses-cloud/contract'
import type { VirtualClock } from '../../time/testing/virtual-clock.ts'
import type { WebhookCall, WebhookOutcome } from '../ports.ts'
import type { UserSession } from '../user-session.ts'
import type { AppSockets } from './app-sockets.ts'
import type { Package, SeededRandom } from './fixtures.ts'

/** Collaborators of the app servers. */
export interface AppServersDeps {
  readonly random: SeededRandom
  readonly clock: VirtualClock
  readonly session: UserSession
  readonly appSockets: Pick<AppSockets, 'connect' | 'openPeers'>
  readonly isCalm: boolean
}

type Done = (outcome: WebhookOutcome) => void

/** The servers of the apps. They answer a webhook at random: connect, delay, refuse or do not answer. */
export class AppServers {
  readonly #deps: AppServersDeps

  constructor(deps: AppServersDeps) {
    this.#deps = deps
  }

  call(packageName: Package, type: WebhookCall['type'], timeoutMs: number, done: Done): void {
    if (type === 'stop_request') this.#stopRequest(packageName, timeoutMs, done)
    else this.#sessionRequest(packageName, timeoutMs, done)
  }

  #sessionRequest(packageName: Package, timeoutMs: number, done: Done): void {
    const { random, clock, isCalm } = this.#deps
    const connect = () => this.#deps.appSockets.connect(packageName)
    const refuse = (code: string) => done({ ok: false, code, message: code, retryable: random.chance(0.8) })
    const behavior = isCalm ? 0 : random.next()
    const delay = random.below(isCalm ? 50 : 3_000)
    if (behavior < 0.55) {
      clock.after(delay, () => {
        connect()
        clock.after(random.below(500), () => done({ ok: true }))
      })
    } else if (behavior < 0.7) clock.after(Math.min(delay, timeoutMs), () => refuse('REFUSED_500'))
    else if (behavior < 0.8) clock.after(Math.min(delay, timeoutMs), () => done({ ok: true }))
    else if (behavior < 0.9) {
      clock.after(timeoutMs, () => refuse('TIMEOUT'))
      clock.after(timeoutMs + delay, connect)
    } else clock.after(timeoutMs, () => refuse('TIMEOUT'))
  }

  #stopRequest(packageName: Package, timeoutMs: number, done: Done): void {
    const { random, clock, session } = this.#deps
    const closesSocket = random.chance(0.6)
    clock.after(random.below(Math.min(timeoutMs, 2_000)), () => {
      if (closesSocket) {
        for (const peer of this.#deps.appSockets.openPeers(packageName)) {
          peer.onClose = undefined
          peer.close(NO_STATUS_RECEIVED, 'disconnected')
          session.detachApp(packageName, peer)
        }
      }
      done({ ok: true })
    })
  }
}
