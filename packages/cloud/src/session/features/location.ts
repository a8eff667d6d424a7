import {
  type AppToCloud,
  type CloudToApp,
  grants,
  isHigherTier,
  type LocationFix,
  type LocationTier,
  locationFixOf,
  locationTierOf,
  locationTiers,
} from '@glasses-cloud/contract'
import type { AppSession } from '../apps/app-session.ts'
import { toIsoString } from '../clock.ts'
import { resolvePhoneTime } from '../phone-time.ts'
import type { AppHandlers, GlassesHandlers, SessionContext, SessionFeature } from './feature.ts'
import { LocationPolls } from './location-polls.ts'
import { LocationTierController } from './location-tier-controller.ts'
import { SubscriptionTracker } from './subscription-tracker.ts'

type Asked = Extract<AppToCloud, { type: 'location_poll_request' }>

/** A position, and when it was taken, epoch milliseconds. */
interface Position {
  readonly fix: LocationFix
  readonly at: number
}

const STREAMS = ['location_update', 'location_stream'] as const

/**
 * Where the wearer is: told to the apps that follow, as closely as they asked, or once to an app that asks. The last
 * position is kept for as long as the session lives, and written nowhere.
 */
export class Location implements SessionFeature {
  readonly #context: SessionContext
  readonly #subscriptions: SubscriptionTracker
  readonly #tier: LocationTierController
  readonly #polls: LocationPolls
  #last: Position | undefined
  static readonly glassesHandlers: GlassesHandlers<Location> = {
    location_update: (feature, message) => {
      const fix = locationFixOf(message)
      if (message.correlationId) feature.answer(message.correlationId, fix)
      else feature.report(fix)
    },
  }
  static readonly appHandlers: AppHandlers<Location> = {
    location_poll_request: (feature, message, from) => feature.#poll(message, from),
  }

  constructor(context: SessionContext) {
    this.#context = context
    this.#subscriptions = new SubscriptionTracker(context.subscriptions, STREAMS)
    this.#tier = new LocationTierController(context, () => this.#highestTier())
    this.#polls = new LocationPolls(context, (packageName, correlationId, reason) =>
      this.#unavailable(packageName, correlationId, reason),
    )
  }

  /** The phone says where the wearer is. */
  report(fix: LocationFix): void {
    const known = this.#keep(fix)
    for (const stream of STREAMS) this.#context.publish(stream, {}, frameOf(known))
  }

  /**
   * The phone answers a question, which only the app that asked is told.
   * @returns whether anybody still waited; if not, it is a report like any other
   */
  answer(correlationId: string, fix: LocationFix): boolean {
    const asked = this.#polls.settle(correlationId)
    if (!asked) {
      this.report(fix)
      return false
    }
    const known = this.#keep(fix)
    const session = this.#context.apps.get(asked.packageName)
    if (session && !mayKnow(session)) this.#refuse(session)
    else if (session) this.#tell(session, 'location_update', known, asked.correlationId)
    return true
  }

  onAppConnected({ packageName }: AppSession): void {
    this.#subscriptions.reset(packageName)
  }

  onAppReset(packageName: string): void {
    this.#polls.drop(packageName)
  }

  onSubscriptionsChanged(session?: AppSession): void {
    this.#tier.update()
    if (!session) return
    for (const { raw } of this.#subscriptions.takeNew(session)) {
      if (this.#last) this.#tell(session, raw, this.#last)
    }
  }

  onGlassesConnected(): void {
    this.#tier.resend()
    this.#polls.askAgain()
  }

  onSessionEnded(): void {
    this.#polls.end()
  }

  #poll({ correlationId, accuracy }: Asked, from: AppSession): void {
    if (!mayKnow(from)) return this.#refuse(from)
    const tier = locationTierOf(accuracy)
    const known = this.#last
    if (known && this.#context.clock.now() - known.at <= locationTiers[tier]) {
      // Asked before, it is answered with this.
      this.#polls.drop(from.packageName, correlationId)
      return this.#tell(from, 'location_update', known, correlationId)
    }
    this.#polls.ask(from.packageName, correlationId, tier)
  }

  #keep(fix: LocationFix): Position {
    const known = { fix, at: resolvePhoneTime(fix.timestamp, this.#context.clock.now()) }
    this.#last = known
    return known
  }

  #tell(session: AppSession, streamType: string, known: Position, correlationId?: string): void {
    const envelope = { sessionId: session.sessionId, streamType, timestamp: this.#context.timestamp() }
    session.sendStream(envelope, JSON.stringify(frameOf(known, correlationId)))
  }

  #refuse({ peer, sessionId }: AppSession): void {
    const message = 'Where the wearer is needs the permission LOCATION, which the app does not declare'
    peer?.send({
      type: 'permission_error',
      message,
      details: [{ stream: 'location_update', requiredPermission: 'LOCATION', message }],
      sessionId,
      timestamp: this.#context.timestamp(),
    } satisfies CloudToApp)
  }

  #unavailable(packageName: string, correlationId: string, message: string): void {
    this.#context.apps.get(packageName)?.answer({
      type: 'tpa_connection_error',
      code: 'LOCATION_UNAVAILABLE',
      message,
      correlationId,
      timestamp: this.#context.timestamp(),
    })
  }

  /** The highest tier any app asks for; without one, the least a phone can do. */
  #highestTier(): LocationTier {
    let highest: LocationTier = 'reduced'
    for (const stream of STREAMS) {
      this.#context.subscriptions.forEachMatch(stream, {}, (_, { rate }) => {
        const tier = locationTierOf(rate)
        if (isHigherTier(tier, highest)) highest = tier
      })
    }
    return highest
  }
}

function mayKnow({ app }: AppSession): boolean {
  return grants(app?.permissions ?? [], 'LOCATION')
}

function frameOf({ fix, at }: Position, correlationId?: string): object {
  const answer = correlationId === undefined ? {} : { correlationId }
  return { type: 'location_update', ...fix, ...answer, timestamp: toIsoString(at) }
}
