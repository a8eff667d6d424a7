export * from './calendar.ts'
export * from './device-state.ts'
export * from './location.ts'
export * from './notifications.ts'
