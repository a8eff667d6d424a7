import type { App } from '../../api/apps.ts'
import type { LiveSession } from '../../api/live-session.ts'
import { hardwareInSentence } from '../../permissions.ts'
import { compatibilityTexts as texts } from './compatibility.texts.ts'

/** Says in words whether an app works with the connected glasses. */
export function describeCompatibility(
  { isCompatible, missingRequired, missingOptional, message }: App['compatibility'],
  glasses: LiveSession['glasses'] | undefined,
): string {
  if (glasses === null || glasses === undefined || glasses.hardware === null) return texts.unknown
  const parts = (missing: App['compatibility']['missingRequired']) =>
    missing.map(({ type }) => hardwareInSentence[type])
  const { modelName } = glasses
  if (missingRequired.length > 0) return texts.without(modelName, parts(missingRequired))
  // The glasses have the hardware, and are too old.
  if (!isCompatible) return message
  return missingOptional.length > 0 ? texts.partly(modelName, parts(missingOptional)) : texts.fully(modelName)
}
