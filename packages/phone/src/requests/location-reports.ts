import { LOCATION_TIER_MAX_AGE_MS, type LocationTier } from '@glasses-cloud/contract'
import type { Clock, Timer } from '../clock.ts'
import type { Position } from '../phone-options.ts'

/** The cloud requests this tier while no app follows the position. */
const UNFOLLOWED: LocationTier = 'reduced'

/** Time after a search that found nothing: a system that asks the user should not ask again soon. */
const RETRY_MS = 60_000

export interface LocationReportsDeps {
  readonly clock: Clock
  /** @throws {Error} if the position is not found */
  readonly find: () => Promise<Position>
  readonly report: (position: Position) => void
  /** Called for the first of several searches in a row that found nothing. */
  readonly onError: (error: unknown) => void
}

/** Reports the position again and again, while apps follow it. */
export class LocationReports {
  readonly #deps: LocationReportsDeps
  #tier = UNFOLLOWED
  #timer: Timer
  #hasFailed = false
  /** Counts the tiers, so that what was found for an earlier one is not reported. */
  #round = 0

  constructor(deps: LocationReportsDeps) {
    this.#deps = deps
  }

  /** Reports at once, and then as often as the tier requires. */
  follow(tier: LocationTier): void {
    if (tier === this.#tier) return
    this.#tier = tier
    this.#round += 1
    this.#deps.clock.clearTimeout(this.#timer)
    if (tier === UNFOLLOWED) this.#hasFailed = false
    else void this.#report(this.#round)
  }

  stop(): void {
    this.follow(UNFOLLOWED)
  }

  async #report(round: number): Promise<void> {
    const { clock, find, report, onError } = this.#deps
    let pauseMs: number = LOCATION_TIER_MAX_AGE_MS[this.#tier]
    try {
      const position = await find()
      if (round !== this.#round) return
      report(position)
      this.#hasFailed = false
    } catch (error) {
      if (round !== this.#round) return
      if (!this.#hasFailed) onError(error)
      this.#hasFailed = true
      pauseMs = Math.max(pauseMs, RETRY_MS)
    }
    this.#timer = clock.setTimeout(() => void this.#report(round), pauseMs)
  }
}
