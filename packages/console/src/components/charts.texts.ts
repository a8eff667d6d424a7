/** Texts of the charts. */
export const chartTexts = {
  at: 'Time',
  events: 'What happened',
  noEvents: 'Nothing in this period.',
} as const
