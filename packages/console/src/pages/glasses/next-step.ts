import type { SimulatorState } from '../../simulator/simulator-state.ts'

/** What the wearer does next, or waits for. */
export type NextStep =
  | 'put-on'
  | 'connecting'
  | 'reconnecting'
  | 'loading'
  | 'find-app'
  | 'install-app'
  | 'start-app'
  | 'starting'
  | 'speak'
  | 'use-microphone'
  | 'not-listening'

/** The kinds of speech that the cloud asks for. */
export interface Listening {
  /** Words that the phone recognizes, such as typed ones. */
  readonly toWords: boolean
  readonly toSound: boolean
}

/** Apps of the wearer, counted by their state. */
export interface AppCounts {
  readonly visible: number
  readonly installed: number
  readonly starting: number
  readonly running: number
}

/** Returns what kinds of speech reach an app now. */
export function listeningOf(requiredData: readonly string[]): Listening {
  const either = requiredData.includes('pcm_or_transcription')
  return {
    toWords: either || requiredData.includes('transcription'),
    toSound: either || requiredData.includes('pcm'),
  }
}

/** Returns the next step. @param apps undefined while they are loading */
export function findNextStep(
  { connection, requiredData }: Pick<SimulatorState, 'connection' | 'requiredData'>,
  apps: AppCounts | undefined,
): NextStep {
  if (connection === 'disconnected') return 'put-on'
  if (connection !== 'connected') return connection
  if (apps === undefined) return 'loading'
  if (apps.running > 0) {
    const { toWords, toSound } = listeningOf(requiredData)
    if (toWords) return 'speak'
    return toSound ? 'use-microphone' : 'not-listening'
  }
  if (apps.starting > 0) return 'starting'
  if (apps.installed > 0) return 'start-app'
  return apps.visible > 0 ? 'install-app' : 'find-app'
}
