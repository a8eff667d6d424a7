const WEARER_KEY = 'glasses.wearer'
const MODEL_KEY = 'glasses.model'

/** Whether a user wore simulated glasses in this tab before it was reloaded. */
export function isWornBy(userId: string): boolean {
  return sessionStorage.getItem(WEARER_KEY) === userId
}

/** Stores for this tab who wears its glasses; undefined once they are taken off. */
export function rememberWearer(userId: string | undefined): void {
  if (userId === undefined) sessionStorage.removeItem(WEARER_KEY)
  else sessionStorage.setItem(WEARER_KEY, userId)
}

/** The model that was put on last on this device. */
export function readModel(): string | undefined {
  return localStorage.getItem(MODEL_KEY) ?? undefined
}

export function rememberModel(model: string): void {
  if (model !== readModel()) localStorage.setItem(MODEL_KEY, model)
}
