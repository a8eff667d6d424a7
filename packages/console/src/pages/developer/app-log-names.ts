import type { AppLogEntry } from '../../api/app-log.ts'
import { logTexts as texts } from './log.texts.ts'

/** Names an entry of the log of an app. */
export function nameOfEntry({ kind, event }: AppLogEntry): string {
  return texts.events[`${kind} ${event}`] ?? `${texts.kinds[kind]}: ${event}`
}
