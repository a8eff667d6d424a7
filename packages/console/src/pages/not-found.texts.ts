export const notFoundTexts = {
  title: 'Page not found',
  explanation: 'The address may be mistyped, or the page no longer exists.',
  toApps: 'Go to the apps',
  toStart: 'Go to the start page',
} as const
