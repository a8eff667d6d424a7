import { formatNumber, plural } from '../../format.ts'

/** Texts of the usage of an app. */
export const usageTexts = {
  title: 'Usage',
  description: 'Users for whom the app started, its starts, and its errors, by day (UTC).',
  period: 'Period',
  last: (days: string) => `Last ${days} days`,
  views: { label: 'Views of the usage', charts: 'Charts', table: 'Table' },
  columns: { day: 'Day', events: 'What happened' },
  installs: (count: number) =>
    plural(count, {
      one: '1 user has it installed.',
      other: `${formatNumber(count)} users have it installed.`,
    }),
  measures: { sessions: 'Sessions', errors: 'Errors', users: 'Users' },
  none: (name: string) => `${name}: none in this period`,
  summary: (name: string, today: number, most: number, day: string) =>
    `${name}: ${formatNumber(today)} today, at most ${formatNumber(most)} on ${day}`,
  empty: {
    title: 'Nobody used the app in this period',
    hint: 'Start it on your glasses, or publish it so that others find it.',
    firstApp: 'First app',
  },
  events: {
    published: 'Published',
    unpublished: 'Taken out of the store',
    submitted: 'Submitted for review',
    rejected: 'Rejected by the review',
    permissions: 'Declares new permissions',
    server_down: 'App server not reached',
    server_up: 'App server reached again',
    key_made: 'API key made',
    key_revoked: 'API key revoked',
  },
} as const
