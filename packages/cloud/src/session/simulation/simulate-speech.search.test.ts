import { test } from 'node:test'
import { shareOf } from '../../../test/support/search-share.ts'
import { simulateSpeech } from './simulate-speech.ts'

/** Replays one seed: `SIM_SEED=123 npm test -- simulate-speech`. */
const replay = process.env.SIM_SEED
const firstSeed = Number(process.env.SIM_FIRST ?? 1)

test('STT-26: two minutes of speech through ten faults', () => {
  if (replay !== undefined) return simulateSpeech(Number(replay))
  for (let seed = firstSeed; seed < firstSeed + shareOf(40); seed += 1) simulateSpeech(seed)
})
