import { getRecentAudio } from './get-recent-audio.ts'

/** Endpoints under `/api/audio`. */
export const audioEndpoints = [getRecentAudio]
