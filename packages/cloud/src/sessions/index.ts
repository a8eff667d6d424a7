export { RunningAppStore } from './running-app-store.ts'
export { Serial } from './serial.ts'
export { Sessions, type SessionUser } from './sessions.ts'
export { UserSessionStore } from './user-session-store.ts'
