import type { Finding } from '@glasses-cloud/contract'
import type { Config } from '../config/index.ts'
import { checkBackup } from './check-backup.ts'
import { checkLocalRecognizer } from './check-local-recognizer.ts'
import { checkNode, checkNodes, checkPublicUrl, checkServer, checkSignUp } from './check-nodes.ts'
import { checkRedis } from './check-redis.ts'
import { checkSpeech, checkTranscription } from './check-speech.ts'
import { checkSpeechModels } from './check-speech-models.ts'
import { checkBlobs, checkDatabase, checkDataFolder, checkDiskSpace, checkSecret } from './check-storage.ts'
import { checkRtmpPort, checkStreaming } from './check-streaming.ts'
import { checkSupabase } from './check-supabase.ts'
import { checkTls } from './check-tls.ts'

type Check = (config: Config) => Promise<Finding[]>

const CHECKS: readonly Check[] = [
  checkNode,
  checkDataFolder,
  checkDiskSpace,
  checkSecret,
  checkDatabase,
  checkRedis,
  checkNodes,
  checkBlobs,
  checkBackup,
  checkSpeech,
  checkStreaming,
  checkTranscription,
  checkSpeechModels,
  checkSignUp,
  checkSupabase,
  checkTls,
  checkPublicUrl,
]

/** Checks of a cloud that may not be running. */
const CHECKS_FROM_OUTSIDE: readonly Check[] = [checkRtmpPort, checkServer, checkLocalRecognizer]

/** Checks every configured part. @param options.isRunning whether the running cloud checks itself */
export async function runChecks(
  config: Config,
  { isRunning }: { readonly isRunning: boolean },
): Promise<Finding[]> {
  const findings: Finding[] = []
  // In sequence: the database check creates files that earlier checks look for.
  for (const check of isRunning ? CHECKS : [...CHECKS, ...CHECKS_FROM_OUTSIDE])
    findings.push(...(await check(config)))
  return findings
}
