import type { App } from '../../api/apps.ts'
import type { LiveSession } from '../../api/live-session.ts'
import { formatList } from '../../format.ts'
import { hardwareInSentence } from '../../permissions.ts'

/** Says in words whether an app works with the connected glasses. */
export function describeCompatibility(
  { isCompatible, missingRequired, missingOptional, message }: App['compatibility'],
  glasses: LiveSession['glasses'] | undefined,
): string {
  if (glasses === null || glasses === undefined || glasses.hardware === null)
    return 'Connect your glasses to see whether the app works with them.'
  const parts = (missing: App['compatibility']['missingRequired']) =>
    missing.map(({ type }) => hardwareInSentence[type])
  const { modelName } = glasses
  if (missingRequired.length > 0)
    return `Does not work with your ${modelName}: they have no ${formatList(parts(missingRequired))}.`
  // The glasses have the hardware, and are too old.
  if (!isCompatible) return message
  return missingOptional.length > 0
    ? `Works with your ${modelName}, without what needs ${formatList(parts(missingOptional))}.`
    : `Works fully with your ${modelName}.`
}
