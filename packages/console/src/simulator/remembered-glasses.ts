import { inTab, onDevice } from '../stored.ts'

const WEARER_KEY = 'glasses.wearer'
const MODEL_KEY = 'glasses.model'

/** Whether a user wore simulated glasses in this tab before it was reloaded. */
export function isWornBy(userId: string): boolean {
  return inTab.read(WEARER_KEY) === userId
}

/** Stores for this tab who wears its glasses; undefined once they are taken off. */
export function rememberWearer(userId: string | undefined): void {
  inTab.write(WEARER_KEY, userId)
}

/** The model that was put on last on this device. */
export function readModel(): string | undefined {
  return onDevice.read(MODEL_KEY)
}

export function rememberModel(model: string): void {
  if (model !== readModel()) onDevice.write(MODEL_KEY, model)
}
