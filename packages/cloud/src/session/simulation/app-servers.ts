import { NO_STATUS_RECEIVED } from '@glasses-cloud/contract'
import type { WebhookCall, WebhookOutcome } from '../ports.ts'
import type { Package } from './cast.ts'
import type { World } from './world.ts'

type Done = (outcome: WebhookOutcome) => void

/** The servers of the apps: called by webhook they connect, dawdle, refuse or say nothing, by the dice. */
export class AppServers {
  readonly #world: World

  constructor(world: World) {
    this.#world = world
  }

  call(call: WebhookCall, timeoutMs: number, done: Done): void {
    const packageName = call.packageName as Package
    if (call.type === 'stop_request') this.#stopRequest(packageName, timeoutMs, done)
    else this.#sessionRequest(packageName, timeoutMs, done)
  }

  #sessionRequest(packageName: Package, timeoutMs: number, done: Done): void {
    const { random, clock, calm } = this.#world
    const connect = () => this.#world.appSockets.connect(packageName)
    const refuse = (code: string) => done({ ok: false, code, message: code, retryable: random.chance(0.8) })
    const behaviour = calm ? 0 : random.next()
    const delay = random.below(calm ? 50 : 3_000)
    if (behaviour < 0.55) {
      clock.after(delay, () => {
        connect()
        clock.after(random.below(500), () => done({ ok: true }))
      })
    } else if (behaviour < 0.7) clock.after(Math.min(delay, timeoutMs), () => refuse('REFUSED_500'))
    else if (behaviour < 0.8) clock.after(Math.min(delay, timeoutMs), () => done({ ok: true }))
    else if (behaviour < 0.9) {
      clock.after(timeoutMs, () => refuse('TIMEOUT'))
      clock.after(timeoutMs + delay, connect)
    } else clock.after(timeoutMs, () => refuse('TIMEOUT'))
  }

  #stopRequest(packageName: Package, timeoutMs: number, done: Done): void {
    const { random, clock, session } = this.#world
    const closes = random.chance(0.6)
    clock.after(random.below(Math.min(timeoutMs, 2_000)), () => {
      if (closes) {
        for (const peer of this.#world.appSockets.open(packageName)) {
          peer.onClose = undefined
          peer.close(NO_STATUS_RECEIVED, 'disconnected')
          session.detachApp(packageName, peer)
        }
      }
      done({ ok: true })
    })
  }
}
