import type { StartMoment } from './start-timeline.ts'

/** A part of a start that takes time. Times are in ms since the start began. */
export interface StartPhase {
  readonly kind: 'request' | 'webhook' | 'socket' | 'running' | 'content' | 'response' | 'failure'
  readonly from: number
  readonly to: number
}

/** The moments that end a phase, in the order of a start. Webhooks have a duration of their own. */
const ENDS = {
  starting: 'request',
  socket: 'socket',
  running: 'running',
  display: 'content',
  answered: 'response',
  failed: 'failure',
} as const

/**
 * Returns the phases of a start, each from the end of the phase before it.
 * @param moments in the order of time
 */
export function phasesOf(moments: readonly StartMoment[]): StartPhase[] {
  const start = moments[0]?.at ?? 0
  const phases: StartPhase[] = []
  /** End of the phases that the app has to wait for. */
  let done = 0
  for (const { at, kind, durationMs = 0 } of moments) {
    const time = at - start
    const hasWebhook = phases.some((phase) => phase.kind === 'webhook')
    if (kind === 'requested' || (kind === 'starting' && hasWebhook)) continue
    if (kind === 'webhook') {
      // Without the moment in which the cloud started it, the request lasts until the webhook.
      if (phases.length === 0 && time > 0) phases.push({ kind: 'request', from: 0, to: time })
      phases.push({ kind, from: time, to: time + durationMs })
      done = time + durationMs
    } else {
      phases.push({ kind: ENDS[kind], from: Math.min(done, time), to: time })
      // Content and response follow the same moment, at the same time.
      if (kind !== 'display' && kind !== 'answered') done = Math.max(done, time)
    }
  }
  return phases.filter(({ kind, to }) => kind !== 'request' || to > 0)
}
