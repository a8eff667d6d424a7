import { useEffect, useState } from 'react'
import { BASE_PATH } from '../base-path.ts'
import type { AdminNode, AdminSession } from './administration.ts'

/** The live sessions and the nodes, while they are followed. */
export interface LiveAdministration {
  readonly connection: 'connecting' | 'live' | 'lost'
  /** Undefined until the first event. */
  readonly sessions: { readonly total: number; readonly sessions: readonly AdminSession[] } | undefined
  readonly nodes: readonly AdminNode[] | undefined
}

const START: LiveAdministration = { connection: 'connecting', sessions: undefined, nodes: undefined }

/** Follows the live sessions and the nodes by server-sent events. What was received stays while the stream is away. */
export function useLiveAdministration(): LiveAdministration {
  const [state, setState] = useState(START)
  useEffect(() => {
    const events = new EventSource(`${BASE_PATH}/api/admin/stream`)
    const change = (part: Partial<LiveAdministration>) => setState((before) => ({ ...before, ...part }))
    events.addEventListener('open', () => change({ connection: 'live' }))
    events.addEventListener('sessions', ({ data }) => change({ sessions: JSON.parse(String(data)) }))
    events.addEventListener('nodes', ({ data }) => change({ nodes: JSON.parse(String(data)) }))
    // The browser connects again by itself, unless the cloud rejected the request.
    events.addEventListener('error', () => change({ connection: 'lost' }))
    return () => events.close()
  }, [])
  return state
}
