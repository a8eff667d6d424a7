import { BASE_PATH } from '../../src/base-path.ts'
/** What became of a report, for the person with the phone. */
export interface ReportResult {
  readonly text: string
  /** Whether another attempt may succeed. */
  readonly canRepeat: boolean
}

const NO_CODE = 'To tell another page so, scan its code again.'
const DONE = 'The page that showed the code knows it now: go on there.'
const INVALID =
  'The page that showed the code was not told, because the code was used already, or has expired. Show a new one there.'
const TOO_MANY = 'Too many codes that are not valid came from this network. Try again in some minutes.'
const LOST = 'The page that showed the code was not told, because the connection was lost.'

/** Reports a code to the cloud, without the session of the browser. @param code null if the address has none */
export async function reportCode(code: string | null): Promise<ReportResult> {
  if (code === null || code === '') return { text: NO_CODE, canRepeat: false }
  try {
    const { ok, status } = await fetch(`${BASE_PATH}/api/reachability-tests/report`, {
      method: 'POST',
      credentials: 'omit',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code }),
    })
    if (ok) return { text: DONE, canRepeat: false }
    if (status === 429) return { text: TOO_MANY, canRepeat: true }
    return status >= 500 ? { text: LOST, canRepeat: true } : { text: INVALID, canRepeat: false }
  } catch {
    return { text: LOST, canRepeat: true }
  }
}
