import { getTranscripts } from './get-transcripts.ts'

/** Endpoints under `/api/transcripts`. */
export const transcriptEndpoints = [getTranscripts]
