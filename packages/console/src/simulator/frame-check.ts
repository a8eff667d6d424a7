import { cloudToGlasses, createMessageChecker, decode, glassesToCloud } from '@glasses-cloud/contract'

/** Whether a frame is what the contract describes. */
export type FrameCheck =
  | { readonly result: 'valid' }
  | { readonly result: 'invalid'; readonly reason: string }
  /** The contract has no message of this type in this direction. */
  | { readonly result: 'unknown' }

const checkers = {
  sent: createMessageChecker(glassesToCloud, 'described'),
  received: createMessageChecker(cloudToGlasses, 'described'),
} as const

/** Checks a text frame against the schema of its message; returns also the type of the message, if it has one. */
export function checkFrame(
  text: string,
  direction: 'sent' | 'received',
): { readonly type: string | undefined; readonly check: FrameCheck } {
  const decoded = decode(text, 'flat')
  if (!decoded.ok) return { type: undefined, check: { result: 'invalid', reason: decoded.reason } }
  const { type } = decoded.message
  const checked = checkers[direction](decoded.message)
  if (checked.kind === 'malformed') return { type, check: { result: 'invalid', reason: checked.reason } }
  return { type, check: { result: checked.kind === 'unknown' ? 'unknown' : 'valid' } }
}
