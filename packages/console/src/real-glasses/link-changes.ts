import type { Link } from '@glasses-cloud/phone/browser'

/** An arm was lost, or is connected. */
export interface LinkChange {
  readonly arm: string
  readonly state: 'connected' | 'lost'
}

/** Finds what changed between two states of the link; failed attempts to connect an arm are no change. */
export function findLinkChanges(before: Link, after: Link): LinkChange[] {
  return after.parts.flatMap(({ name: arm, state }) => {
    const wasConnected = before.parts.find(({ name }) => name === arm)?.state === 'connected'
    const isConnected = state === 'connected'
    return wasConnected === isConnected ? [] : [{ arm, state: isConnected ? 'connected' : 'lost' }]
  })
}
