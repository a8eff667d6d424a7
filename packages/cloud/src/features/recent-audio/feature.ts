import type { Feature } from '../../feature.ts'
import type { RecentAudioEndpointDeps } from './deps.ts'
import { getRecentAudio } from './get-recent-audio.ts'

/** The last seconds of a user's audio, under `/api/audio`. */
export function createRecentAudio(deps: RecentAudioEndpointDeps): Feature {
  return { name: 'recent-audio', endpoints: [getRecentAudio(deps)] }
}
