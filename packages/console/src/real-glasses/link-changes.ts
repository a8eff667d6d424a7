import type { Link } from '@glasses-cloud/phone/browser'

type Part = Link['parts'][number]

/** A part of the glasses was lost, or is connected. */
export interface LinkChange {
  /** `left` or `right` for arms; `glasses` for glasses of one part. */
  readonly part: string
  readonly state: 'connected' | 'lost'
}

/** Returns the parts of the glasses that are connected apart; glasses of one part are `glasses`. */
export function partsOf({ state, parts }: Link): readonly Part[] {
  if (parts.length > 0) return parts
  return [{ name: 'glasses', state: state === 'impaired' ? 'connected' : state }]
}

const PART_NAMES: Readonly<Record<string, string>> = { left: 'left arm', right: 'right arm' }

/** Names a part within a sentence. */
export function partName(part: string): string {
  return PART_NAMES[part] ?? part
}

/** Finds what changed between two states of the link; failed attempts to connect a part are no change. */
export function findLinkChanges(before: Link, after: Link): LinkChange[] {
  const earlier = partsOf(before)
  return partsOf(after).flatMap(({ name: part, state }) => {
    const wasConnected = earlier.find(({ name }) => name === part)?.state === 'connected'
    const isConnected = state === 'connected'
    return wasConnected === isConnected ? [] : [{ part, state: isConnected ? 'connected' : 'lost' }]
  })
}
