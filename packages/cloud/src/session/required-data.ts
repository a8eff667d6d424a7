/** Data that the phone sends while the microphone is on, as in `requiredData` of `microphone_state_change`. */
export type MicrophoneData = 'pcm' | 'transcription'

/**
 * Where speech is recognized. `cloud-unavailable` means that the recognizer of the cloud does not work at the moment, so
 * that the phone stands in for it.
 */
export type SpeechRecognition = 'phone' | 'cloud' | 'cloud-unavailable'

/** What the apps are subscribed to, and where speech is recognized. */
export interface DataRequirements {
  /** Whether an app is subscribed to audio. */
  readonly needsAudio: boolean
  /** Whether an app is subscribed to a transcription or a translation. */
  readonly needsSpeech: boolean
  readonly recognition: SpeechRecognition
  /** Whether a package may read recent audio, so that audio is kept while the microphone is on for speech. */
  readonly offersRecentAudio: boolean
  /** Whether the user requires recognition on the phone (`enforceLocalTranscription`, `offline_mode`). */
  readonly localOnly: boolean
}

/**
 * Determines the data to request from the phone (decision W7): exactly the data that is needed, because a phone
 * recognizes speech only if it is requested to.
 */
export function requiredData(requirements: DataRequirements): readonly MicrophoneData[] {
  const { needsAudio, needsSpeech, offersRecentAudio, localOnly } = requirements
  const recognition = localOnly ? 'phone' : requirements.recognition
  const speechNeedsPcm = recognition !== 'phone' || (offersRecentAudio && !localOnly)
  const needsPcm = needsAudio || (needsSpeech && speechNeedsPcm)
  const needsTranscription = needsSpeech && recognition !== 'cloud'
  return [...(needsPcm ? PCM : []), ...(needsTranscription ? TRANSCRIPTION : [])]
}

const PCM = ['pcm'] as const
const TRANSCRIPTION = ['transcription'] as const
