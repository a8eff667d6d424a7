import {
  type AppToCloud,
  type CloudToApp,
  grants,
  isHigherTier,
  LOCATION_TIER_MAX_AGE_MS,
  type LocationFix,
  type LocationTier,
  locationFix,
  parseLocationReport,
  parseLocationTier,
} from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { type Timer, toIsoString } from '../../time/index.ts'
import type { AppSession } from '../apps/app-session.ts'
import { command } from '../command.ts'
import { resolvePhoneTime } from '../timing.ts'
import { LocationPolls } from './location-polls.ts'
import {
  type AppHandlers,
  type GlassesHandlers,
  type SessionContext,
  type SessionPart,
  SubscriptionTracker,
} from './part.ts'

type PollRequest = Extract<AppToCloud, { type: 'location_poll_request' }>

interface Position {
  readonly fix: LocationFix
  /** When it was measured, epoch milliseconds. */
  readonly at: number
  /** When it was measured, in milliseconds of the monotonic clock. */
  readonly measuredAt: number
  /** In milliseconds of the monotonic clock. */
  readonly receivedAt: number
}

const STREAMS = ['location_update', 'location_stream'] as const

/**
 * The user's position: relayed to subscribers, at the highest tier that any of them requests, and sent to apps that
 * poll it. The last position stays in memory while the session lives and is never stored (LOC-6).
 */
export class Location implements SessionPart {
  static readonly glassesHandlers: GlassesHandlers<Location> = {
    location_update: (part, message) => {
      const fix = parseLocationReport(message)
      if (message.correlationId) part.completePoll(message.correlationId, fix)
      else part.report(fix)
    },
  }
  static readonly appHandlers: AppHandlers<Location> = {
    location_poll_request: (part, message, from) => part.#poll(message, from),
  }

  static readonly commands = {
    /** Stores a position that the phone reported, and relays it. */
    reportLocation: command([locationFix], Type.Void(), (location: Location, fix) => location.report(fix)),
    /** Sends the phone's response to a location poll to the app that polled; returns whether the poll was pending. */
    answerLocationPoll: command(
      [Type.String(), locationFix],
      Type.Boolean(),
      (location: Location, correlationId, fix) => location.completePoll(correlationId, fix),
    ),
  }

  readonly #context: SessionContext
  readonly #subscriptions: SubscriptionTracker
  readonly #tier: LocationTierController
  readonly #polls: LocationPolls
  #last: Position | undefined

  constructor(context: SessionContext) {
    this.#context = context
    this.#subscriptions = new SubscriptionTracker(context.subscriptions, STREAMS)
    this.#tier = new LocationTierController(context, () => this.#highestTier())
    this.#polls = new LocationPolls(context, (packageName, correlationId, reason) =>
      this.#sendUnavailable(packageName, correlationId, reason),
    )
  }

  /** Stores a position that the phone reported, and relays it. */
  report(fix: LocationFix): void {
    const position = this.#store(fix)
    for (const stream of STREAMS) this.#context.publish(stream, {}, frameOf(position))
  }

  /**
   * Sends the phone's response to the app that polled. A response that matches no pending poll is a report.
   * @returns whether the poll was pending
   */
  completePoll(correlationId: string, fix: LocationFix): boolean {
    const poll = this.#polls.complete(correlationId)
    if (!poll) {
      this.report(fix)
      return false
    }
    const position = this.#store(fix)
    const session = this.#context.apps.get(poll.packageName)
    if (session && !hasPermission(session)) this.#sendPermissionError(session)
    else if (session) this.#deliver(session, 'location_update', position, poll.correlationId)
    return true
  }

  onAppConnected({ packageName }: AppSession): void {
    this.#subscriptions.reset(packageName)
  }

  onAppReset(packageName: string): void {
    this.#polls.cancelAll(packageName)
  }

  onSubscriptionsChanged(session?: AppSession): void {
    this.#tier.update()
    if (!session) return
    for (const { raw } of this.#subscriptions.takeNew(session)) {
      if (this.#last && mayReceive(session, this.#last)) this.#deliver(session, raw, this.#last)
    }
  }

  onGlassesConnected(): void {
    this.#tier.send()
    this.#polls.resend()
  }

  onSessionEnded(): void {
    this.#polls.end()
  }

  #poll({ correlationId, accuracy }: PollRequest, from: AppSession): void {
    if (!hasPermission(from)) return this.#sendPermissionError(from)
    const tier = parseLocationTier(accuracy)
    const position = this.#last
    if (
      position &&
      mayReceive(from, position) &&
      this.#context.clock.monotonicNow() - position.measuredAt <= LOCATION_TIER_MAX_AGE_MS[tier]
    ) {
      // The same poll may be pending: this is its response.
      this.#polls.cancel(from.packageName, correlationId)
      return this.#deliver(from, 'location_update', position, correlationId)
    }
    this.#polls.poll(from.packageName, correlationId, tier)
  }

  #store(fix: LocationFix): Position {
    const { clock } = this.#context
    const now = clock.now()
    const at = resolvePhoneTime(fix.timestamp, now)
    const position = {
      fix,
      at,
      receivedAt: clock.monotonicNow(),
      measuredAt: clock.monotonicNow() - Math.max(0, now - at),
    }
    this.#last = position
    return position
  }

  #deliver(session: AppSession, streamType: string, position: Position, correlationId?: string): void {
    const envelope = { sessionId: session.sessionId, streamType, timestamp: this.#context.timestamp() }
    session.sendStream(envelope, JSON.stringify(frameOf(position, correlationId)))
  }

  #sendPermissionError({ packageName, peer, sessionId }: AppSession): void {
    const message = 'Location requires the permission LOCATION, which the app does not declare'
    this.#context.log('permission_denied', { packageName, message })
    peer?.send({
      type: 'permission_error',
      message,
      details: [{ stream: 'location_update', requiredPermission: 'LOCATION', message }],
      sessionId,
      timestamp: this.#context.timestamp(),
    } satisfies CloudToApp)
  }

  #sendUnavailable(packageName: string, correlationId: string, message: string): void {
    this.#context.apps.get(packageName)?.sendOrQueue({
      type: 'tpa_connection_error',
      code: 'LOCATION_UNAVAILABLE',
      message,
      correlationId,
      timestamp: this.#context.timestamp(),
    })
  }

  /** The highest tier that any app requests; `reduced` without subscribers. */
  #highestTier(): LocationTier {
    let highest: LocationTier = 'reduced'
    for (const stream of STREAMS) {
      this.#context.subscriptions.forEachMatch(stream, {}, (_, { rate }) => {
        const tier = parseLocationTier(rate)
        if (isHigherTier(tier, highest)) highest = tier
      })
    }
    return highest
  }
}

/** Whether the position was received while the app had the permission (PRM-25). */
function mayReceive(session: AppSession, { receivedAt }: Position): boolean {
  return receivedAt >= session.permittedSince('LOCATION')
}

function hasPermission({ definition }: AppSession): boolean {
  return grants(definition?.permissions ?? [], 'LOCATION')
}

function frameOf({ fix, at }: Position, correlationId?: string): object {
  const correlation = correlationId === undefined ? {} : { correlationId }
  return { type: 'location_update', ...fix, ...correlation, timestamp: toIsoString(at) }
}

/**
 * Sends the location tier to the phone. A higher tier takes effect immediately, a lower one after a delay: apps that
 * need a single position subscribe and unsubscribe around it, and phones restart positioning at each change
 * (app-socket.md §5.1, LOC-8).
 */
class LocationTierController {
  readonly #context: Pick<SessionContext, 'clock' | 'timing' | 'sendToGlasses' | 'timestamp'>
  readonly #highestTier: () => LocationTier
  #tier: LocationTier = 'reduced'
  #lowering: Timer | undefined

  /** @param highestTier returns the highest tier that any app requests now */
  constructor(context: SessionContext, highestTier: () => LocationTier) {
    this.#context = context
    this.#highestTier = highestTier
  }

  /** Adjusts the tier after subscriptions changed. */
  update(): void {
    const highest = this.#highestTier()
    if (isHigherTier(this.#tier, highest)) {
      const { clock, timing } = this.#context
      this.#lowering ??= clock.after(timing.locationTierLowerDelayMs, () => this.#set(this.#highestTier()))
    } else this.#set(highest)
  }

  /** Sends the current tier. */
  send(): void {
    const { sendToGlasses, timestamp } = this.#context
    sendToGlasses({ type: 'set_location_tier', tier: this.#tier, timestamp: timestamp() })
  }

  #set(tier: LocationTier): void {
    this.#lowering?.cancel()
    this.#lowering = undefined
    if (tier === this.#tier) return
    this.#tier = tier
    this.send()
  }
}
