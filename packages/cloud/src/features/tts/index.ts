import type { Logger } from 'pino'
import { type Config, isPrivateHost, nodeFolder } from '../../config/index.ts'
import type { Database } from '../../db/index.ts'
import type { Feature } from '../../feature.ts'
import type { Metrics } from '../../http/metrics.ts'
import type { WorkerMetrics } from '../../jobs/index.ts'
import type { Clock } from '../../time/index.ts'
import type { InstalledModels } from '../speech-models/index.ts'
import { type ConfiguredSpeech, createTextToSpeech } from './create-text-to-speech.ts'
import { speechEndpoints } from './endpoints.ts'
import { SpeechBudget } from './speech-budget.ts'
import { SpeechBudgetStore } from './speech-budget-store.ts'
import { SpeechCache } from './speech-cache.ts'
import { SpeechSynthesizer } from './speech-synthesizer.ts'

export { type ConfiguredSpeech, createTextToSpeech } from './create-text-to-speech.ts'

/** Folder of the cache, which each node has on its own disk. */
const CACHE_FOLDER = 'tts-cache'

export interface TtsDeps {
  readonly db: Database
  /** `AUTH_SECRET`. */
  readonly secret: string
  readonly config: Config
  readonly metrics: Metrics
  readonly workers: Pick<WorkerMetrics, 'add'>
  /** The voices of the provider `local`. */
  readonly models: InstalledModels
  readonly clock: Clock
  readonly log: Logger
}

/** Text-to-speech, under `/api/tts`. Invalid settings of the provider are logged and disable it. */
export async function createTts({
  config,
  db,
  secret,
  metrics,
  workers,
  models,
  clock,
  log,
}: TtsDeps): Promise<Feature & { readonly speech: ConfiguredSpeech }> {
  const counter = metrics.counter(
    'speech_total',
    'Texts spoken, by where the sound came from',
    ['source'],
    ['cache', 'shared', 'provider'].map((source) => ({ source })),
  )
  const speech = await createTextToSpeech(config.tts, { models, workers, metrics, clock, log })
  if (!speech.ok) {
    if (speech.problem !== undefined) log.warn(`text-to-speech is off: ${speech.problem}`)
    return { name: 'tts', speech, endpoints: speechEndpoints({ synthesizer: undefined }) }
  }
  const { provider } = speech
  const cache = await SpeechCache.open(nodeFolder(config.data, CACHE_FOLDER), config.tts.cacheBytes, log)
  const dailyCharacters = config.limits.speechCharactersPerDay
  const budget =
    isPaid(config.tts) && dailyCharacters > 0
      ? new SpeechBudget({
          store: new SpeechBudgetStore(db),
          dailyCharacters,
          secret,
          now: () => clock.now(),
        })
      : undefined
  const synthesizer = new SpeechSynthesizer({
    provider,
    cache,
    clock,
    budget,
    count: (source) => counter.inc({ source }),
  })
  return {
    name: 'tts',
    speech,
    endpoints: speechEndpoints({ synthesizer }),
    async close() {
      await synthesizer.close()
      await speech.close()
    },
  }
}

/** Whether speech is charged. Many servers implement the interface of OpenAI; one at a private address is one's own. */
function isPaid({ provider, baseUrl }: Config['tts']): boolean {
  if (provider === 'openai') return baseUrl === undefined || !isPrivateHost(baseUrl.hostname)
  return provider === 'elevenlabs'
}
