import type { AppLogEntry } from '../../api/app-log.ts'

export const KIND_NAMES = {
  all: 'Everything',
  error: 'Errors only',
  start: 'Starts',
  webhook: 'Webhook calls',
  socket: 'Sockets',
  rejected: 'Rejected messages',
  wake_word: 'Wake words',
  dropped: 'Left out',
} as const

const EVENTS: Readonly<Record<string, string>> = {
  'start requested': 'Start requested',
  'start running': 'Running',
  'start failed': 'Start failed',
  'start given_up': 'Start given up',
  'start stopped': 'Stopped',
  'webhook session_request': 'Webhook: start',
  'webhook stop_request': 'Webhook: stop',
  'socket opened': 'Socket opened',
  'socket closed': 'Socket closed',
  'wake_word unavailable': 'Wake word is not detected in the audio',
  'dropped dropped': 'Entries left out',
}

/** Names an entry of the log of an app. */
export function nameOfEntry({ kind, event }: AppLogEntry): string {
  return EVENTS[`${kind} ${event}`] ?? `${KIND_NAMES[kind]}: ${event}`
}
