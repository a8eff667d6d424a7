import type { Feature } from '../../feature.ts'
import type { TranscriptEndpointDeps } from './deps.ts'
import { getTranscripts } from './get-transcripts.ts'

/** The transcript history of app sessions, under `/api/transcripts`. */
export function createTranscripts(deps: TranscriptEndpointDeps): Feature {
  return { name: 'transcripts', endpoints: [getTranscripts(deps)] }
}
