import { plural } from '../../format.ts'

/** Texts of the log of an app. */
export const logTexts = {
  title: 'Live log',
  description:
    'What happens to the app, as it happens. Entries are kept for a day and contain nothing that wearers say or see.',
  search: 'Search',
  filter: 'Show',
  pause: 'Pause',
  tryAgain: 'Try again',
  kinds: {
    all: 'Everything',
    error: 'Errors only',
    start: 'Starts',
    webhook: 'Webhook calls',
    socket: 'Sockets',
    rejected: 'Rejected messages',
    dropped: 'Left out',
  },
  columns: { time: 'Time', event: 'Event', details: 'Details', session: 'Session' },
  waiting: (count: number) => plural(count, { one: '1 new entry', other: `${count} new entries` }),
  connections: { connecting: 'Connecting…', live: 'Live', lost: 'Connection lost' },
  noMatch: { title: 'No entry matches', hint: 'Change the search or the filter.' },
  empty: {
    title: 'Nothing has happened in the last day',
    hint: 'Start the app on glasses, or test its connection.',
    test: 'Test connection',
  },
  details: {
    attempt: (attempt: number) => `attempt ${attempt}`,
    status: (status: number) => `status ${status}`,
    duration: (durationMs: number) => `${durationMs} ms`,
    stage: (stage: string) => `stage ${stage}`,
    code: (code: string | number) => `code ${code}`,
    count: (count: number) => plural(count, { one: '1 entry', other: `${count} entries` }),
  },
  events: {
    'start requested': 'Start requested',
    'start running': 'Running',
    'start failed': 'Start failed',
    'start given_up': 'Start given up',
    'start stopped': 'Stopped',
    'webhook session_request': 'Webhook: start',
    'webhook stop_request': 'Webhook: stop',
    'socket opened': 'Socket opened',
    'socket closed': 'Socket closed',
    'dropped dropped': 'Entries left out',
  } as Readonly<Record<string, string>>,
  closeCodes: {
    1000: 'Closed by the app or the cloud, as intended',
    1001: 'The app server went away, or did not respond',
    1005: 'Closed by the app',
    1006: 'The connection was lost',
    1008: 'Closed by the cloud: the key was revoked, or the app broke a limit',
    1009: 'Closed by the cloud: a message was too large',
  } as Readonly<Record<string, string>>,
} as const
