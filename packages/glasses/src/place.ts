import type { Message } from '@glasses-cloud/contract'

/** Where the wearer is. */
export interface Position {
  readonly lat: number
  readonly lng: number
  /** In metres. */
  readonly accuracy?: number
}

/** The report that answers a `request_single_location`; `undefined` for any other message. */
export function locationAnswer(
  request: Message,
  place: Position,
): (Message & { correlationId: string }) | undefined {
  const { type, correlationId } = request
  if (type !== 'request_single_location' || typeof correlationId !== 'string') return undefined
  return { type: 'location_update', ...place, correlationId }
}
