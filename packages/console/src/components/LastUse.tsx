import { formatTime } from '../format.ts'

export interface LastUseProps {
  /** ISO 8601; null if it was never used. */
  readonly at: string | null
  /** The address of the client, if it is known. */
  readonly address: string | null
}

/** When and from which address a key, a token or a sign-in was last used. */
export function LastUse({ at, address }: LastUseProps) {
  if (at === null) return 'Never used'
  return `Last used ${formatTime(at)}${address === null ? '' : ` from ${address}`}`
}
