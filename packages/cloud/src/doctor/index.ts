import type { Finding } from '@glasses-cloud/contract'
import type { Config } from '../config/index.ts'
import { checkBackup } from './check-backup.ts'
import { checkMail } from './check-mail.ts'
import {
  checkNode,
  checkNodes,
  checkPublicUrl,
  checkServer,
  checkSettings,
  checkSignUp,
} from './check-nodes.ts'
import { checkOidc } from './check-oidc.ts'
import { checkRedis } from './check-redis.ts'
import {
  type CheckedSpeech,
  checkLocalRecognizer,
  checkSpeech,
  checkSpeechOf,
  checkTranscription,
} from './check-speech.ts'
import { checkSpeechModels } from './check-speech-models.ts'
import { checkBlobs, checkDatabase, checkDataFolder, checkDiskSpace, checkSecret } from './check-storage.ts'
import { checkRtmpPort, checkStreaming } from './check-streaming.ts'
import { checkSupabase } from './check-supabase.ts'
import { checkThumbnails } from './check-thumbnails.ts'
import { checkTls } from './check-tls.ts'
import { withInstalledModels } from './installed-models.ts'

export { failure, ok } from './finding.ts'

/** Which cloud is checked. */
export interface CheckOptions {
  /** Whether the running cloud checks itself. */
  readonly isRunning: boolean
  /** The text-to-speech of the running cloud; otherwise one is created for the check. */
  readonly speech?: CheckedSpeech
}

type Check = (config: Config, options: CheckOptions) => Promise<Finding[]>

const CHECKS: readonly Check[] = [
  checkNode,
  checkSettings,
  checkDataFolder,
  checkDiskSpace,
  checkSecret,
  checkDatabase,
  checkRedis,
  checkNodes,
  checkBlobs,
  checkBackup,
  checkThumbnails,
  (config, { speech }) =>
    speech
      ? checkSpeechOf(config, speech)
      : withInstalledModels(config, (models) => checkSpeech(config, models)),
  checkStreaming,
  checkTranscription,
  checkSpeechModels,
  checkSignUp,
  checkMail,
  checkSupabase,
  checkOidc,
  checkTls,
  checkPublicUrl,
]

/** Checks of a cloud that may not be running. */
const CHECKS_FROM_OUTSIDE: readonly Check[] = [checkRtmpPort, checkServer, checkLocalRecognizer]

/** Checks every configured part. */
export async function runChecks(config: Config, options: CheckOptions): Promise<Finding[]> {
  const findings: Finding[] = []
  // In sequence: the database check creates files that earlier checks look for.
  for (const check of options.isRunning ? CHECKS : [...CHECKS, ...CHECKS_FROM_OUTSIDE])
    findings.push(...(await check(config, options)))
  return findings
}
