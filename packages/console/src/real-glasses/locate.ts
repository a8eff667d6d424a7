import type { Position } from '@glasses-cloud/phone/browser'

/** Time to find the position; apps wait for it. */
const TIMEOUT_MS = 15_000

/** A position that is not older is not looked for again. */
const MAX_AGE_MS = 1_000

/**
 * Finds the position of this device. The browser asks the user for the permission at the first call.
 * @throws {Error} with a sentence for the user
 */
export function locate(): Promise<Position> {
  return new Promise((resolve, reject) => {
    navigator.geolocation.getCurrentPosition(
      ({ coords: { latitude: lat, longitude: lng, accuracy } }) => resolve({ lat, lng, accuracy }),
      ({ code }) => reject(new Error(PROBLEMS.get(code) ?? 'The location could not be found.')),
      { timeout: TIMEOUT_MS, maximumAge: MAX_AGE_MS },
    )
  })
}

const PROBLEMS: ReadonlyMap<number, string> = new Map([
  [1, 'An app asks where you are. Allow this page the location in the browser, if you want to tell it.'],
  [3, 'An app asks where you are, but the location was not found in time.'],
])
