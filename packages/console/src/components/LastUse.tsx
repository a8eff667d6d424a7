import { common } from '../texts/common.ts'
import { formatTime } from '../texts/format.ts'

export interface LastUseProps {
  /** ISO 8601; null if it was never used. */
  readonly at: string | null
  /** The address of the client, if it is known. */
  readonly address: string | null
}

/** When and from which address a key, a token or a sign-in was last used. */
export function LastUse({ at, address }: LastUseProps) {
  if (at === null) return common.neverUsed
  return <time dateTime={at}>{common.lastUsed(formatTime(at), address)}</time>
}
